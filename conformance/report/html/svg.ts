/** Pieces of a picture. All colours come from the style sheet, by class. */
import { html } from "./markup.ts";

type Point = readonly [x: number, y: number];

const HEAD = 7;

/** Short: a page has many pictures. */
const round = (number: number) => `${Math.round(number * 10) / 10}`;

/** Straight lines through the points, with a head at the last. `kind`: classes of the line and its head. */
export function arrow(points: readonly Point[], kind = "", dashed = false) {
  const [end, before] = [points.at(-1) ?? [0, 0], points.at(-2) ?? [0, 0]] as const;
  const length = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
  const [dx, dy] = [(end[0] - before[0]) / length, (end[1] - before[1]) / length];
  const [x, y] = [end[0] - HEAD * dx, end[1] - HEAD * dy];
  const side = HEAD * 0.6;
  const corners = [end, [x - side * dy, y + side * dx], [x + side * dy, y - side * dx]];
  const line = [...points.slice(0, -1), [x, y]].map(([px = 0, py = 0]) => `${round(px)} ${round(py)}`).join(" L");
  return html`<path class=${`arrow ${kind}${dashed ? " dashed" : ""}`} d=${`M${line}`} />
    <polygon
      class=${`head ${kind}`}
      points=${corners.map(([px = 0, py = 0]) => `${round(px)},${round(py)}`).join(" ")}
    />`;
}

export function label(x: number, y: number, text: string, kind = "") {
  return html`<text class=${kind} x=${x} y=${y}>${text}</text>`;
}

/** A rounded box around `(x, y)` with lines of text in its middle. */
export function box(x: number, y: number, width: number, height: number, lines: readonly string[], kind = "") {
  const top = y - ((lines.length - 1) * 16) / 2 + 4.5;
  return html`<rect
      class=${`box ${kind}`}
      x=${x - width / 2}
      y=${y - height / 2}
      width=${width}
      height=${height}
      rx="8"
    />
    ${lines.map((line, index) => label(x, top + index * 16, line, `middle ${index === 0 ? "strong" : "small"}`))}`;
}

/**
 * The picture in a frame of its own, which scrolls on a narrow screen. `said`: what it shows, for those who do not see
 * it; `caption`: what stands below it, the same unless given.
 */
export function figure(said: string, width: number, height: number, content: unknown, caption = said) {
  // Nothing is read out twice.
  const named = caption === said ? { "aria-hidden": "true" } : { role: "img", "aria-label": said };
  return html`<figure>
    <div class="picture" tabindex="0" role="group" aria-label="Picture">
      <svg ...${named} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>${content}</svg>
    </div>
    <figcaption><span class="sideways">↔ Wider than the screen: scroll it sideways. </span>${caption}</figcaption>
  </figure>`;
}
