/** A story as a sequence diagram: who sent what to which route, what came back, and where it broke. */
import type { ReportedStory } from "../report.ts";
import { answersText, answerText } from "../story-text.ts";
import type { Step } from "../../story/story.ts";
import { cutText } from "./cut.ts";
import { html, type Markup } from "./markup.ts";
import { arrow, box, figure, label } from "./svg.ts";

const WIDTH = 760;
const TOP = 54;
/** Steps before the last ones are in the text only. */
const SHOWN = 24;
/** Characters on a line of a label, and lines. */
const [LINE, LINES] = [84, 3];
const MOST_CALLERS = 3;
const routeNames = { route: "route", sibling: "sibling route", stranger: "foreign route" } as const;

/** A step as it is told, beside what a replay file says of it. */
interface Drawn {
  readonly told: ReportedStory["steps"][number];
  readonly step: Step | undefined;
  readonly number: number;
  /** The last, where the story broke. */
  readonly isHere: boolean;
}

/** Undefined for a story without steps. */
export function sequencePicture({ steps: told, replay }: ReportedStory) {
  const all = told.map((one, index) => ({
    told: one,
    step: replay?.steps[index],
    number: index + 1,
    isHere: replay !== undefined && index === told.length - 1,
  }));
  if (all.length === 0) return undefined;
  const shown = all.slice(-SHOWN);
  const columns = columnsOf(shown.flatMap(({ step }) => step ?? []));
  const drawn: Markup[] = [];
  let y = TOP;
  for (const one of shown) {
    const { markup, height } = drawStep(one, columns, y);
    drawn.push(markup);
    y += height;
  }
  const height = y + 14;
  const lives = [...columns.callers.values(), ...columns.routes.values()];
  const content = [
    lives.map(({ x }) => html`<line class="life" x1=${x} x2=${x} y1="40" y2=${height - 4} />`),
    lives.map(({ x, name }) => box(x, 24, 104, 30, name)),
    drawn,
  ];
  const left = all.length - shown.length;
  const caption =
    left > 0 ? `The last ${shown.length} steps; the text below has the ${left} before them.` : "Time runs downwards.";
  return figure(
    `The story as a sequence of ${all.length} steps; the text below says the same.`,
    WIDTH,
    height,
    content,
    caption,
  );
}

interface Life {
  readonly x: number;
  readonly name: string;
}

interface Columns {
  readonly callers: ReadonlyMap<string, Life>;
  readonly routes: ReadonlyMap<string, Life>;
}

/** One column for each client and each route that the steps name; more than a few clients share one. */
function columnsOf(steps: readonly Step[]): Columns {
  const ends = steps.flatMap(endsOf);
  const callers = [...new Set(ends.map(({ client }) => client))];
  const routes = [...new Set(ends.map(({ route }) => route))];
  const few = callers.length <= MOST_CALLERS ? callers : ["callers"];
  const named = few.length === 0 ? ["caller"] : few;
  return {
    callers: new Map(named.map((name, index) => [name, { x: 60 + index * 116, name }])),
    routes: new Map(
      (routes.length === 0 ? (["route"] as const) : routes).map((name, index, { length }) => [
        name,
        { x: WIDTH - 60 - (length - 1 - index) * 116, name: routeNames[name] },
      ]),
    ),
  };
}

/** The first where the name has none of its own. */
function lifeOf(lives: ReadonlyMap<string, Life>, name = ""): Life | undefined {
  return lives.get(name) ?? [...lives.values()][0];
}

function endsOf(step: Step): { client: string; route: keyof typeof routeNames }[] {
  if (step.do === "together") return step.sends.flatMap(endsOf);
  if (step.do !== "send" && step.do !== "hold" && step.do !== "release") return [];
  return [{ client: step.client === undefined ? "caller" : `client ${step.client}`, route: step.route }];
}

function drawStep(drawn: Drawn, columns: Columns, y: number): { markup: Markup; height: number } {
  const { step, number, isHere } = drawn;
  const { what, answers } = drawn.told;
  if (answers.some(({ sent }) => sent !== undefined)) return drawRace(drawn, y);
  const answer = answers.length === 0 ? undefined : answersText(answers);
  const [end] = step === undefined ? [] : endsOf(step);
  if (step !== undefined && end === undefined) {
    const band = [
      html`<rect class="band" x="12" y=${y + 4} width=${WIDTH - 24} height="24" rx="4" />`,
      label(WIDTH / 2, y + 20, cutText(`${number}. ${what}`, 90), `middle small ${isHere ? "bad strong" : ""}`),
    ];
    return { markup: band, height: 36 };
  }
  const [left, right] = [
    lifeOf(columns.callers, end?.client)?.x ?? 60,
    lifeOf(columns.routes, end?.route)?.x ?? WIDTH - 60,
  ];
  const request = broken(`${number}. ${what}`, Math.floor((right - left) / 7.4));
  const sent = y + request.length * 15 + 8;
  const markup = [
    request.map((text, index) => label(left + 8, y + 12 + index * 15, text, "code halo")),
    arrow(left, right, sent, "path"),
    answer !== undefined && [
      label(right - 8, sent + 18, cutText(answer, LINE), `code halo end ${isHere ? "bad strong" : ""}`),
      arrow(right, left, sent + 26, isHere ? "bad" : "path", true),
    ],
  ];
  return { markup, height: sent - y + (answer === undefined ? 16 : 42) };
}

/** Requests under way at the same time: a bar for each, from its first byte to its answer. */
function drawRace({ told: { what, answers }, number }: Drawn, y: number) {
  const [left, span] = [24, 210];
  const bars = answers.flatMap((one) => (one.sent === undefined ? [] : [{ ...one.sent, answer: answerText(one) }]));
  const markup = [
    html`<rect class="frame" x="12" y=${y + 4} width=${WIDTH - 24} height=${bars.length * 26 + 30} rx="6" />`,
    label(left, y + 22, `${number}. ${what}`, "small strong halo"),
    bars.map((one, index) => {
      const top = y + 32 + index * 26;
      const width = Math.max(4, (one.to - one.from) * span);
      return [
        html`<rect
          class="race"
          x=${(left + one.from * span).toFixed(1)}
          y=${top}
          width=${width.toFixed(1)}
          height="14"
          rx="3"
        />`,
        label(left + span + 12, top + 11, cutText(`${one.what} -> ${one.answer}`, 66), "code halo"),
      ];
    }),
  ];
  return { markup, height: bars.length * 26 + 46 };
}

/** Broken at spaces into a few lines. */
function broken(text: string, width: number): string[] {
  const wide = Math.max(24, Math.min(LINE, width));
  const lines: string[] = [];
  for (const word of cutText(text, wide * LINES - 10).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < wide) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > wide ? `${word.slice(0, wide - 3)}...` : word);
  }
  return lines.slice(0, LINES);
}
