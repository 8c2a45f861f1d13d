/** The style of all pages: colours, light and dark; texts, tables and cases; a phone's width. */

/** Of each outcome its text, the ground that this stands on and its border, each in light and in dark; a contrast of 4.5 at least. */
const outcomes = {
  pass: ["#146c2e,#7fd896", "#e3f4e8,#14301d", "#3fa45b,#3d9a58"],
  fail: ["#a81c1c,#ff9d94", "#fde9e7,#331b1c", "#d1382f,#d9483f"],
  warn: ["#7c4a03,#f3c871", "#fff1d2,#3a2b0c", "#e39b1d,#cf9327"],
  known: ["#5b3a9b,#c6b0f5", "#f0eafc,#2b2146", "#9473d6,#8464c7"],
  unreached: ["#4a5663,#b4bec9", "#e7ebef,#2a323b", "#8793a0,#6d7986"],
  error: ["#8c1860,#f5a2d2", "#fbe6f2,#3d1830", "#bf3f8c,#b94a8c"],
  "not-applicable": ["#555e69,#a3adb8", "#f0f2f5,#20262e", "#cdd4db,#48525d"],
} as const;

const colours = Object.entries(outcomes).map(
  ([name, [ink, ground, bar]]) => `
.o-${name}{--ink:light-dark(${ink});--ground:light-dark(${ground});--bar:light-dark(${bar})}`,
);

export const style = `:root{color-scheme:light dark;
--page:light-dark(#fff,#11151a);--text:light-dark(#1c2128,#e4e8ed);--quiet:light-dark(#555e69,#a3adb8);
--line:light-dark(#d4dae1,#353d47);--card:light-dark(#f6f8fa,#191f26);--link:light-dark(#0b57b0,#86b9ff)}${colours.join("")}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
[hidden]{display:none!important}
main,header>div,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
h1{font-size:1.75rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem}
h2::first-letter{text-transform:uppercase}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
a{color:var(--link)}
pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
pre{margin:0;padding:.625rem .75rem;background:var(--card);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem;z-index:2}
.quiet{color:var(--quiet)}
.small{font-size:.875rem}
header.verdict{border-top:6px solid var(--bar);background:var(--ground);padding:1.5rem 0 1.25rem}
header.verdict .judgement{color:var(--ink);font-weight:700;letter-spacing:.02em;text-transform:uppercase;margin:0 0 .25rem}
header.verdict .why{font-size:1.0625rem;max-width:52rem}
header.verdict .line{font-size:.9375rem}
.tag{display:inline-block;min-width:4.25rem;padding:.0625rem .5rem;border-radius:1rem;background:var(--ground);color:var(--ink);font-size:.8125rem;font-weight:600;text-align:center;white-space:nowrap}
ol.way{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.5rem;margin:.75rem 0;padding:0;counter-reset:stop}
ol.way li{counter-increment:stop;border:1px solid var(--bar);border-left:5px solid var(--bar);border-radius:6px;background:var(--ground);padding:.375rem .625rem;font-size:.875rem}
ol.way li::before{content:counter(stop) " ";color:var(--quiet)}
ol.way li.o-pass,ol.way li.o-not-applicable{background:var(--page)}
table{border-collapse:collapse;width:100%}
.scroll{overflow-x:auto}
th,td{text-align:left;padding:.4375rem .75rem .4375rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}thead th{color:var(--quiet);font-size:.8125rem;vertical-align:bottom}
button{font:inherit;font-size:.875rem;color:var(--text);background:var(--page);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .75rem;cursor:pointer}
button:hover{background:var(--card)}
details.case{border:1px solid var(--line);border-radius:8px;margin:.375rem 0;background:var(--page)}
details.case[open]{border-color:var(--bar)}
details.case>summary{cursor:pointer;display:grid;grid-template-columns:6.75rem minmax(0,1fr) auto;gap:.125rem .75rem;padding:.5rem .75rem;align-items:baseline;list-style:none;border-radius:8px}
details.case>summary::-webkit-details-marker{display:none}
details.case>summary:hover{background:var(--card)}
details.case>summary b{overflow-wrap:anywhere;font-weight:600;font-size:.9375rem}
details.case>summary .title{grid-column:2/4;color:var(--quiet);font-size:.9375rem;overflow-wrap:anywhere}
details.case>summary .headline{grid-column:2/4;color:var(--ink);font-size:.9375rem;overflow-wrap:anywhere}
details.case[open]>summary .headline{display:none}
details.case>summary .tag{align-self:start}
details.case>.inside{padding:.25rem 1rem 1rem;border-top:1px solid var(--line)}
dl.told{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.5rem 1rem;margin:.75rem 0}
dl.told dt{color:var(--quiet)}
dl.told dd{margin:0;overflow-wrap:anywhere}
dl.told dd p:first-child{margin-top:0}
.difference{display:grid;grid-template-columns:7rem minmax(0,1fr);border:1px solid var(--line);border-radius:6px;overflow:hidden;margin:.75rem 0;font-size:.9375rem}
.difference>*{padding:.5rem .75rem;margin:0;overflow-wrap:anywhere}
.difference dt{font-weight:600}
.difference>*{background:var(--ground)}.difference dt{color:var(--ink)}
h4,.caption{font-size:.8125rem;font-weight:600;color:var(--quiet);margin:.75rem 0 .25rem}
.command{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem;align-items:start;margin:.25rem 0}
.values{margin:.75rem 0}.values th,.values td{font-size:.9375rem;overflow-wrap:anywhere}
.values table{table-layout:fixed}.values th:first-child{width:11rem}.values tbody th{color:var(--quiet);font-weight:400}
.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.75rem 0 1.25rem;font-size:.875rem}
.filter label{display:grid;color:var(--quiet)}.filter .text{flex:1 1 14rem}
.filter select,.filter input{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .5rem;max-width:16rem}
.filter .text input{max-width:none;width:100%}
.filter [role=status]{align-self:center;min-width:8.5rem}
details.more{margin:.75rem 0 0}details.more>summary{cursor:pointer;color:var(--quiet);font-size:.875rem}
section.group>h3{margin-top:1.5rem}
details.group{margin:.75rem 0}
details.group>summary{cursor:pointer}details.group>summary h3{display:inline}
.followers{margin-left:1.25rem}
footer{color:var(--quiet);font-size:.875rem;margin-top:3rem;padding-bottom:3rem}
.note{border-left:4px solid light-dark(${outcomes.warn[2]});background:light-dark(${outcomes.warn[1]});padding:.5rem .75rem;border-radius:0 6px 6px 0;margin:.75rem 0}
@media (max-width:40rem){
main,header>div,footer{padding:0 .875rem}
h1{font-size:1.375rem}
dl.told,.difference{grid-template-columns:minmax(0,1fr);gap:0}
dl.told dt{margin-top:.5rem}
.difference dd{padding-top:0}
.command{grid-template-columns:minmax(0,1fr)}
details.case>summary{grid-template-columns:minmax(0,1fr) auto}
details.case>summary .tag{grid-column:1;justify-self:start}
details.case>summary .level{grid-column:2;grid-row:1}
details.case>summary b,details.case>summary .title,details.case>summary .headline{grid-column:1/3}
.followers{margin-left:.5rem}
.values th:first-child{width:28%}
th,td{padding-right:.375rem;overflow-wrap:anywhere}
.scroll table{min-width:38rem}}
@media print{
:root{color-scheme:light}
.filter,.skip,button{display:none!important}
main,header>div,footer{max-width:none;padding:0}
summary,.difference,.values,h2,h3,h4{break-inside:avoid;break-after:avoid}}`;
