/** Bars, and the table of a story; SVG takes its colours from here, as the policy refuses style attributes. */
export const stories = `svg.bar{display:block;max-width:100%}
svg.bar rect{fill:var(--bar)}
table.story{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
table.story td{overflow-wrap:anywhere;padding-left:.5rem}
table.story svg.bar{--bar:var(--known-bar);margin-top:.25rem}
table.story tr.here{background:var(--ground);color:var(--ink)}`;
