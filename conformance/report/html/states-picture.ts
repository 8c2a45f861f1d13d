/** The states of a flow, with the arrow that broke. */
import type { Report, ReportedResult } from "../report.ts";
import { html } from "./markup.ts";
import { isProperty } from "./stages-picture.ts";
import { countsOf, isFailure } from "./outcomes.ts";
import { HIGH, liveFrame, places, SIZE, stateArrows, WIDE, type State, type StateArrow } from "./state-arrows.ts";
import { walkOf } from "./story-walk.ts";
import { arrow, box, figure, label } from "./svg.ts";

interface Look {
  readonly said: string;
  readonly arrow: (one: StateArrow) => "good" | "bad" | "path" | "";
  readonly note: (one: StateArrow) => string;
  readonly state: (state: State) => "bad" | "path" | "";
  readonly more?: unknown;
}

function picture({ said, arrow: kindOf, note, state, more }: Look) {
  const { x, y, width, height } = liveFrame;
  const content = [
    html`<rect class="frame" x=${x} y=${y} width=${width} height=${height} rx="10" />`,
    label(x + 10, y + height - 8, "live", "small quiet"),
    stateArrows.map((one) => {
      const kind = kindOf(one);
      const [left, top] = one.name;
      const align = one.align ?? "";
      return [
        one.lines.map((line) => arrow(line, kind, kind === "")),
        label(left, top, one.action, `small halo ${kind === "bad" ? "bad strong" : ""} ${align}`),
        label(left, top + 15, note(one), `small halo ${kind === "bad" ? "bad" : "quiet"} ${align}`),
      ];
    }),
    Object.entries(places).map(([name, at]) => box(at[0], at[1], WIDE, HIGH, [name], state(name as State))),
    more,
  ];
  return figure(said, ...SIZE, content);
}

/** All cases about the states: each arrow by the clause that states it. */
export function statesOverview({ results }: Report) {
  const about = new Map(
    stateArrows.map((one) => {
      const members = results.filter(({ id, clauses }) => !isProperty(id, clauses) && clauses.includes(one.clause));
      const counts = countsOf(members);
      return [one, { counts, failed: counts.fail ?? 0 }];
    }),
  );
  // A story tells in which state of a flow it broke; the others tell the clause only.
  const walks = results.filter(isFailure).flatMap((result) => walkOf(result.story) ?? []);
  const stuck = new Map<State, Set<string>>();
  for (const { at, action } of walks) stuck.set(at, (stuck.get(at) ?? new Set<string>()).add(action));
  const names = new Set([
    ...stateArrows.filter((one) => about.get(one)?.failed).map(({ action }) => action),
    ...walks.map(({ at, action }) => `${action} of a flow that is ${at}`),
  ]);
  return picture({
    said: `The states of a flow and the actions between them. ${names.size === 0 ? "No arrow broke." : `Broken: ${[...names].join(", ")}.`}`,
    arrow: (one) => (about.get(one)?.failed ? "bad" : about.get(one)?.counts.pass ? "good" : ""),
    note: (one) => {
      const { counts, failed = 0 } = about.get(one) ?? {};
      return failed > 0
        ? `✗ ${failed} of ${failed + (counts?.pass ?? 0)} failed`
        : counts?.pass
          ? `✓ ${counts.pass} passed`
          : "not judged";
    },
    state: (state) => (stuck.has(state) ? "bad" : ""),
    more: [...stuck].map(([state, actions]) => callout(state, [...actions].join(", "))),
  });
}

/** An action that is no arrow of the picture, below the state in which it broke: arrows end at its top. */
function callout(state: State, action: string) {
  const [x, y] = places[state];
  // From this one an arrow goes down.
  if (state === "cancel pending") return label(x + WIDE / 2 + 6, y + 5, `✗ ${action}`, "small strong bad halo");
  return label(x, y + HIGH / 2 + 16, `✗ ${action}`, "middle small strong bad halo");
}

/** The way of one flow to the request that broke; undefined where no story tells of a state. */
export function statesOfCase(result: ReportedResult) {
  if (!isFailure(result)) return undefined;
  const walk = walkOf(result.story);
  // A clause is about several states: without a story it is unknown which arrow broke.
  if (walk === undefined) return undefined;
  const { visited, at, action } = walk;
  const drawn = stateArrows.find((one) => one.action === action && one.from.includes(at));
  return picture({
    said: `The flow went ${visited.join(", ")}; ${action} in the state "${at}" was answered wrongly.`,
    arrow: (one) => (one === drawn ? "bad" : ""),
    note: () => "",
    state: (state) => (state === at ? "bad" : visited.includes(state) ? "path" : ""),
    more: drawn === undefined && callout(at, action),
  });
}
