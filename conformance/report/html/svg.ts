/** Pieces of a picture. All colours come from the style sheet, by class. */
import { html } from "./markup.ts";

const HEAD = 7;

/** A level line with a head at its end. `kind`: classes of the line and its head. */
export function arrow(from: number, to: number, y: number, kind: string, dashed = false) {
  const back = to > from ? to - HEAD : to + HEAD;
  return html`<path class=${`arrow ${kind}${dashed ? " dashed" : ""}`} d=${`M${from} ${y} L${back} ${y}`} />
    <polygon class=${`head ${kind}`} points=${`${to},${y} ${back},${y + 4} ${back},${y - 4}`} />`;
}

export function label(x: number, y: number, text: string, kind = "") {
  return html`<text class=${kind} x=${x} y=${y}>${text}</text>`;
}

/** A rounded box around `(x, y)` with a name in its middle. */
export function box(x: number, y: number, width: number, height: number, name: string) {
  return html`<rect class="box" x=${x - width / 2} y=${y - height / 2} width=${width} height=${height} rx="8" />
    ${label(x, y + 4.5, name, "middle strong")}`;
}

/** The picture in a frame, which scrolls on a narrow screen. `said`: what it shows, for those who do not see it; `caption` stands below it. */
export function figure(said: string, width: number, height: number, content: unknown, caption: string) {
  return html`<figure>
    <div class="picture" tabindex="0" role="group" aria-label="Picture">
      <svg role="img" aria-label=${said} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
        ${content}
      </svg>
    </div>
    <figcaption><span class="sideways">↔ Wider than the screen: scroll it sideways. </span>${caption}</figcaption>
  </figure>`;
}
