/** A story about limits on a time line: a row for each key, its requests and held slots, and the 60 seconds from its first request. */
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import type { Step } from "../../story/story.ts";
import type { ReportedStory } from "../report.ts";
import { html, type Markup } from "./markup.ts";
import { figure, label } from "./svg.ts";

/** Steps and keys of a picture that one can read. */
const [MOST_STEPS, MOST_KEYS] = [12, 6];
const [WIDTH, NAMES, ROW, TOP] = [760, 150, 56, 34];

interface Moment {
  readonly step: Step;
  readonly answers: ReportedStory["steps"][number]["answers"];
  readonly isHere: boolean;
  /** Since the story's start, ms. */
  readonly at: number;
}

/** Undefined for a long story, and for one in which no time passes and nothing is held. */
export function windowPicture(story: ReportedStory) {
  const steps = story.replay?.steps ?? [];
  if (steps.length > MOST_STEPS || !steps.some(({ do: kind }) => kind === "pass" || kind === "hold")) return undefined;
  const moments = momentsOf(steps, story.steps);
  const keys = [...new Set(moments.flatMap(({ step }) => keyOf(step) ?? []))];
  if (keys.length === 0 || keys.length > MOST_KEYS) return undefined;
  const wide = (WIDTH - NAMES - 10) / moments.length;
  const x = (index: number) => NAMES + index * wide;
  const bottom = TOP + keys.length * ROW;
  const content = [
    moments.map(({ step, at }, index) => [
      step.do === "pass" &&
        html`<rect class="band" x=${x(index).toFixed(1)} y="4" width=${wide.toFixed(1)} height=${bottom - 4} />`,
      label(
        x(index) + wide / 2,
        20,
        step.do === "pass" ? `+${inSeconds(step.ms)}` : inSeconds(at),
        "middle small quiet",
      ),
    ]),
    keys.map((key, row) => rowOf(key, TOP + row * ROW, moments, x, wide)),
  ];
  const said =
    "Each key in its own row: how many requests were let in (✓) and refused (✗), how many are held (bars), and in outline " +
    `the 60 seconds from the key's first request, in which ${REQUESTS_PER_WINDOW} are let in.`;
  return figure(said, WIDTH, bottom + 6, content);
}

function momentsOf(steps: readonly Step[], told: ReportedStory["steps"]): Moment[] {
  let at = 0;
  return steps.map((step, index) => {
    const moment = { step, answers: told[index]?.answers ?? [], isHere: index === steps.length - 1, at };
    if (step.do === "pass") at += step.ms;
    return moment;
  });
}

function keyOf(step: Step): string | undefined {
  if (step.do !== "send" && step.do !== "hold" && step.do !== "release") return undefined;
  return `${step.route}, client ${step.client ?? "any"}`;
}

const inSeconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

function rowOf(
  key: string,
  top: number,
  moments: readonly Moment[],
  x: (index: number) => number,
  wide: number,
): Markup {
  const middle = top + ROW / 2;
  const marks: Markup[] = [label(8, middle + 4, key, "small strong")];
  let opened: { index: number; at: number } | undefined;
  const frame = (from: number, to: number) =>
    html`<rect
      class="window"
      x=${(x(from) + 3).toFixed(1)}
      y=${top + 5}
      width=${((to - from) * wide - 6).toFixed(1)}
      height=${ROW - 10}
      rx="6"
    />`;
  for (const [index, moment] of moments.entries()) {
    const { step, isHere, at } = moment;
    if (opened !== undefined && at - opened.at >= WINDOW_MS) {
      marks.push(frame(opened.index, index));
      opened = undefined;
    }
    if (keyOf(step) !== key) continue;
    opened ??= { index, at };
    if (step.do === "hold")
      marks.push(
        html`<rect
          class=${`race ${isHere ? "bad" : ""}`}
          x=${(x(index) + 6).toFixed(1)}
          y=${top + 10}
          width=${((releasedAt(moments, index, key) - index) * wide - 12).toFixed(1)}
          height="6"
          rx="3"
        />`,
      );
    marks.push(
      label(x(index) + wide / 2, middle + 8, countsIn(moment), `middle small halo ${isHere ? "bad strong" : ""}`),
    );
  }
  if (opened !== undefined) marks.push(frame(opened.index, moments.length));
  return marks;
}

/** Held requests are over with the key's next release, or never. */
function releasedAt(moments: readonly Moment[], from: number, key: string): number {
  const found = moments.findIndex(({ step }, index) => index > from && step.do === "release" && keyOf(step) === key);
  return found < 0 ? moments.length : found;
}

/** `115 ✓ 1 ✗`, from 115 accepted and one refused. */
function countsIn({ step, answers }: Moment): string {
  const count = (isAccepted: boolean) =>
    answers
      .filter(({ answer }) => answer.includes("ok:true") === isAccepted)
      .reduce((sum, { times = 1 }) => sum + times, 0);
  const [passed, refused] = [count(true), count(false)];
  if (passed + refused > 0)
    return [passed > 0 && `${passed} ✓`, refused > 0 && `${refused} ✗`].filter(Boolean).join(" ");
  if (step.do === "hold") return `${step.count} held`;
  return step.do === "release" ? `${step.count} ${step.how === "abort" ? "aborted" : "finished"}` : "sent";
}
