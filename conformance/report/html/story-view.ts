/** A story as a table: each step with what was answered, the last one marked; of requests at the same time, when each was under way. */
import { number } from "../facts.ts";
import type { ReportedStory } from "../report.ts";
import { answerText, cameOf } from "../story-text.ts";
import { html } from "./markup.ts";
import { drawnBar } from "./outcomes.ts";

/** The last steps tell the most. */
const SHOWN = 60;
/** Units of the bar that shows when a request was under way. */
const WIDE = 100;

type Step = ReportedStory["steps"][number];

export function storyView({ note, steps, requests, replay }: ReportedStory) {
  const left = Math.max(0, steps.length - SHOWN);
  const rows = steps.slice(left).map((step, index) => {
    const number = left + index + 1;
    // Without a replay file the target answered otherwise each time: no step is the wrong one.
    return stepRows(step, number, replay !== undefined && number === steps.length);
  });
  return html`<h3>The story: ${number(requests, "request")}</h3>
    ${note === undefined ? null : html`<p class="small quiet">${note}</p>`}
    ${left > 0 ? html`<p class="quiet">The last ${SHOWN} steps; the JSON report has the ${left} before them.</p>` : null}
    <div class="scroll" tabindex="0" role="group" aria-label="Table of steps">
      <table class="story">
        <thead>
          <tr>
            <th scope="col" class="number">step</th>
            <th scope="col">request</th>
            <th scope="col">answer</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function stepRows(step: Step, number: number, isHere: boolean) {
  const overlapping = step.answers.filter(({ sent }) => sent !== undefined);
  const mark = isHere ? "o-fail here" : undefined;
  return [
    html`<tr class=${mark}>
      <td class="number">${number}</td>
      <td>${step.what}</td>
      <td>${cameOf(step)}${isHere ? html` <strong>← here</strong>` : null}</td>
    </tr>`,
    ...overlapping.map(
      (one) =>
        html`<tr class=${mark}>
          <td></td>
          <td>${one.sent?.what}${underWay(one.sent)}</td>
          <td>${answerText(one)}</td>
        </tr>`,
    ),
  ];
}

function underWay(sent: Step["answers"][number]["sent"]) {
  if (sent === undefined) return null;
  const [from, to] = [Math.round(sent.from * WIDE), Math.round(sent.to * WIDE)];
  const said = `Under way from ${from} to ${to} percent of the time that all took.`;
  return drawnBar(said, WIDE, 6, html`<rect x=${from} y="0" width=${Math.max(2, to - from)} height="6" />`);
}
