/** The style of all pages: colours as variables, light and dark; texts, tables, cases and the filter; a phone's width and paper. */
/** Each text colour has a contrast of at least 4.5 to each ground that it stands on. */
const outcomes = ["pass", "fail", "warn", "known", "unreached", "error", "not-applicable"]
  .map((name) => `.o-${name}{--ink:var(--${name});--ground:var(--${name}-ground);--bar:var(--${name}-bar)}`)
  .join("");

const colours = `:root{color-scheme:light dark;
--page:#fff;--text:#1c2128;--quiet:#555e69;--line:#d4dae1;--card:#f6f8fa;--link:#0b57b0;--focus:#0b57b0;
--pass:#146c2e;--pass-ground:#e3f4e8;--pass-bar:#3fa45b;
--fail:#a81c1c;--fail-ground:#fde9e7;--fail-bar:#d1382f;
--warn:#7c4a03;--warn-ground:#fff1d2;--warn-bar:#e39b1d;
--known:#5b3a9b;--known-ground:#f0eafc;--known-bar:#9473d6;
--unreached:#4a5663;--unreached-ground:#e7ebef;--unreached-bar:#8793a0;
--error:#8c1860;--error-ground:#fbe6f2;--error-bar:#bf3f8c;
--not-applicable:#555e69;--not-applicable-ground:#f0f2f5;--not-applicable-bar:#cdd4db}
@media (prefers-color-scheme:dark){:root{
--page:#11151a;--text:#e4e8ed;--quiet:#a3adb8;--line:#353d47;--card:#191f26;--link:#86b9ff;--focus:#86b9ff;
--pass:#7fd896;--pass-ground:#14301d;--pass-bar:#3d9a58;
--fail:#ff9d94;--fail-ground:#331b1c;--fail-bar:#d9483f;
--warn:#f3c871;--warn-ground:#3a2b0c;--warn-bar:#cf9327;
--known:#c6b0f5;--known-ground:#2b2146;--known-bar:#8464c7;
--unreached:#b4bec9;--unreached-ground:#2a323b;--unreached-bar:#6d7986;
--error:#f5a2d2;--error-ground:#3d1830;--error-bar:#b94a8c;
--not-applicable:#a3adb8;--not-applicable-ground:#20262e;--not-applicable-bar:#48525d}}
${outcomes}`;

/** SVG takes its colours from here, as the policy refuses style attributes. */
export const style = `${colours}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
[hidden]{display:none!important}
main,header>div,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
h1{font-size:1.75rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
a{color:var(--link)}
code,pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{overflow-wrap:anywhere}
pre{margin:0;padding:.625rem .75rem;background:var(--card);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem;z-index:2}
.quiet{color:var(--quiet)}
.small{font-size:.875rem}
header.verdict{border-top:6px solid var(--bar);background:var(--ground);padding:1.5rem 0 1.25rem}
header.verdict .judgement{color:var(--ink);font-weight:700;letter-spacing:.02em;text-transform:uppercase;margin:0 0 .25rem}
header.verdict .rests{margin:.75rem 0 1rem;max-width:54rem}
header.verdict .line{margin:1rem 0 0;font-size:.9375rem}
.tag{display:inline-block;min-width:4.25rem;padding:.0625rem .5rem;border-radius:1rem;background:var(--ground);color:var(--ink);font-size:.8125rem;font-weight:600;text-align:center;white-space:nowrap}
ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin:.625rem 0 0;padding:0}
ul.legend span.key{display:inline-block;width:.75rem;height:.75rem;border-radius:3px;background:var(--bar);margin-right:.375rem;vertical-align:-.0625rem}
ol.way{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.5rem;margin:.75rem 0;padding:0;counter-reset:stop}
ol.way li{counter-increment:stop;border:1px solid var(--bar);border-left:5px solid var(--bar);border-radius:6px;background:var(--ground);padding:.375rem .625rem;font-size:.875rem}
ol.way li::before{content:counter(stop) " ";color:var(--quiet)}
ol.way li.o-pass,ol.way li.o-not-applicable{background:var(--page)}
table{border-collapse:collapse;width:100%}
.scroll{overflow-x:auto}
th,td{text-align:left;padding:.4375rem .75rem .4375rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}thead th{color:var(--quiet);font-size:.8125rem;vertical-align:bottom}
td:has(>svg.bar){width:40%;min-width:8rem;vertical-align:middle}
form.filter{border:1px solid var(--line);border-radius:8px;background:var(--card);padding:.75rem 1rem;margin:1.5rem 0 1rem;display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:end}
form.filter label.above{color:var(--quiet);font-size:.8125rem;padding:0;display:block}
input[type=search]{font:inherit;font-size:.9375rem;color:inherit;background:var(--page);border:1px solid var(--quiet);border-radius:6px;padding:.3125rem .5rem;width:16rem;max-width:100%}
button{font:inherit;font-size:.875rem;color:var(--text);background:var(--page);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .75rem;cursor:pointer}
button:hover{background:var(--card)}
.status{flex-basis:100%;margin:0}
details.case{border:1px solid var(--line);border-radius:8px;margin:.375rem 0;background:var(--page)}
details.case[open]{border-color:var(--bar)}
details.case>summary{cursor:pointer;display:grid;grid-template-columns:6.75rem minmax(0,1fr) auto;gap:.125rem .75rem;padding:.5rem .75rem;align-items:baseline;list-style:none;border-radius:8px}
details.case>summary::-webkit-details-marker{display:none}
details.case>summary:hover{background:var(--card)}
details.case>summary b{overflow-wrap:anywhere;font-weight:600;font-size:.9375rem}
details.case>summary .title{grid-column:2/4;color:var(--quiet);font-size:.9375rem;overflow-wrap:anywhere}
details.case>summary .tag{align-self:start}
details.case>.inside{padding:.25rem 1rem 1rem;border-top:1px solid var(--line)}
details.plain>summary{cursor:pointer;padding:.25rem 0}
dl.told{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.5rem 1rem;margin:.75rem 0}
dl.told dt{color:var(--quiet)}
dl.told dd{margin:0;overflow-wrap:anywhere}
dl.told dd p:first-child{margin-top:0}
.difference{display:grid;grid-template-columns:7rem minmax(0,1fr);border:1px solid var(--line);border-radius:6px;overflow:hidden;margin:.75rem 0;font-size:.9375rem}
.difference>*{padding:.5rem .75rem;margin:0;overflow-wrap:anywhere}
.difference dt{font-weight:600}
.difference .expected{background:var(--pass-ground)}.difference .actual{background:var(--fail-ground)}
.difference dt.expected{color:var(--pass)}.difference dt.actual{color:var(--fail)}
.exchange{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;margin:.5rem 0}
.exchange h4,h4{font-size:.8125rem;font-weight:600;color:var(--quiet);margin:.75rem 0 .25rem}
.exchange h4{margin-top:0}
.exchange .line{font-weight:700}
.command{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem;align-items:start;margin:.25rem 0}
section.group>h3{margin-top:1.5rem}
details.group{margin:.75rem 0}
details.group>summary{cursor:pointer}details.group>summary h3{display:inline}
.followers{margin-left:1.25rem}
.first{margin:.5rem 0 0}
ul.reasons{margin:.25rem 0 .75rem;padding-left:1.25rem;font-size:.9375rem;overflow-wrap:anywhere}
footer{color:var(--quiet);font-size:.875rem;margin-top:3rem;padding-bottom:3rem}
.note{border-left:4px solid var(--warn-bar);background:var(--warn-ground);padding:.5rem .75rem;border-radius:0 6px 6px 0;margin:.75rem 0}
table.matrix th.column{min-width:5rem}table.matrix td.cell{padding-right:.5rem}
table.matrix thead th{position:sticky;top:0;background:var(--page)}
details.case>summary.section{grid-template-columns:minmax(0,1fr) auto}
details.case>summary.section b{grid-column:1}
details.case>summary.section .title{grid-column:1/3;display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.375rem 1.25rem}
@media (max-width:40rem){
main,header>div,footer{padding:0 .875rem}
h1{font-size:1.375rem}
.exchange{grid-template-columns:minmax(0,1fr)}
dl.told,.difference{grid-template-columns:minmax(0,1fr);gap:0}
dl.told dt{margin-top:.5rem}
.difference dd{padding-top:0}
.command{grid-template-columns:minmax(0,1fr)}
details.case>summary{grid-template-columns:minmax(0,1fr) auto}
details.case>summary .tag{grid-column:1;justify-self:start}
details.case>summary .level{grid-column:2;grid-row:1}
details.case>summary b,details.case>summary .title{grid-column:1/3}
input[type=search]{width:100%}
form.filter>div{flex-basis:100%}
.followers{margin-left:.5rem}
th,td{padding-right:.375rem;overflow-wrap:anywhere}
.scroll table{min-width:38rem}}
@media print{
:root{color-scheme:light}
body{font-size:10pt}
form.filter,button,.skip{display:none!important}
header.verdict{background:none}
details.case{break-inside:avoid;border:0;border-bottom:1px solid #999;border-radius:0}
.tag{border:1px solid currentColor}
a{color:inherit;text-decoration:none}}
svg.bar{display:block;max-width:100%}
svg.bar rect{fill:var(--bar)}`;
