/** The pictures: SVG takes its colours from here, as the policy refuses style attributes. */
export const pictures = `svg{display:block;max-width:100%}
svg text{fill:var(--text);font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
svg text.small{font-size:12px}svg text.quiet{fill:var(--quiet)}svg text.strong{font-weight:700}
svg text.code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
svg text.middle{text-anchor:middle}svg text.end{text-anchor:end}
svg.bar rect{fill:var(--bar)}
svg .box{fill:var(--card);stroke:var(--line);stroke-width:1.5}
svg .arrow{fill:none;stroke:var(--quiet);stroke-width:1.5}
svg .head{fill:var(--quiet)}
svg .dashed{stroke-dasharray:5 4}
svg .frame{fill:none;stroke:var(--line);stroke-width:1.5;stroke-dasharray:2 4}
svg text.halo{paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
svg .life{stroke:var(--line);stroke-width:1.5}
svg .bad.arrow{stroke:var(--fail-bar);stroke-width:2.5}svg .bad.head{fill:var(--fail-bar)}svg text.bad{fill:var(--fail)}
svg .path.arrow{stroke:var(--known-bar);stroke-width:2.5}svg .path.head{fill:var(--known-bar)}
svg .band{fill:var(--unreached-ground)}
svg .race{fill:var(--known-bar)}
figure{margin:1rem 0}figcaption{color:var(--quiet);font-size:.875rem;margin-top:.375rem}
.picture{overflow-x:auto}
.picture svg{width:100%;min-width:44rem;max-width:62rem;height:auto}
.sideways{display:none}
@media (max-width:46rem){.sideways{display:inline}.picture{border:1px dashed var(--quiet);border-radius:6px}}`;
