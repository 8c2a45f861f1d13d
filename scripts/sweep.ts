/**
 * Measures each number of section 8 on plugins that have it wrong by several sizes, and on lawful ones, and prints what was
 * measured and whether a case failed. Usage: sweep.ts [--real] [--only WORD]; `--real` takes minutes, most of it waiting.
 */
import { cases } from "../conformance/catalogue.ts";
import { different } from "../conformance/proof/different/index.ts";
import type { Subject } from "../conformance/proof/subject.ts";
import { rateWindow, secondWindows } from "../conformance/proof/broken/limits/rate-window.ts";
import { sweep } from "../conformance/proof/broken/limits/sweep.ts";
import { runSuite } from "../conformance/proof/judge-subject.ts";
import { launchedTarget, launchOf } from "../conformance/proof/launch.ts";
import { chosenBy, flag, given, text } from "./options.ts";
import { inWorkers, workOff } from "./prove/workers.ts";

const options = given({ real: flag, only: text(), worker: flag });

/** Subjects of one worker at a time: those in real time mostly wait. */
const WIDTH = options.real ? 8 : 2;
const measuring = ["RATE-120-ACCEPTED", "RATE-WINDOW-60-SECONDS", "IN-FLIGHT-9-REFUSED", "BODY-15-SECONDS"];

const measuresWindow = ({ kills }: Subject) => kills.includes("RATE-WINDOW-60-SECONDS");
const secondOnly = new Set(secondWindows.map(({ id }) => id));
const faults = [
  ...sweep.map((one) => ({ ...one, isUnseen: options.real && one.isNear })),
  ...rateWindow.filter(measuresWindow).map((one) => ({ ...one, isUnseen: options.real && secondOnly.has(one.id) })),
];
type Kind = "wrong" | "unseen" | "lawful";
const subjects: readonly (Pick<Subject, "id" | "kills" | "change"> & { readonly kind: Kind })[] = [
  ...faults.map((one) => ({ ...one, kind: one.isUnseen ? ("unseen" as const) : ("wrong" as const) })),
  ...different
    .filter(({ id }) => id.startsWith("different-windows-"))
    .map((one) => ({ ...one, kills: measuring, kind: "lawful" as const })),
];

interface Row {
  readonly measured: string;
  readonly red: readonly string[];
  readonly open: readonly string[];
}

async function judged({ id }: { readonly id: string }): Promise<Row> {
  const subject = subjects.find((one) => one.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const target = launchedTarget(id, launchOf(subject.change, options.real));
  const { results } = await runSuite(
    target,
    "spec",
    cases.filter((item) => subject.kills.includes(item.id)),
  );
  const measures = results.flatMap((result) => result.measures ?? []);
  return {
    measured: measures.map(({ limit, measured }) => `${limit} ${measured}`).join(", "),
    red: results.filter(({ outcome }) => outcome === "fail").map((result) => result.id),
    open: results.flatMap(({ outcome, reason }) => (outcome === "fail" || outcome === "pass" ? [] : [`${reason}`])),
  };
}

if (options.worker) workOff(judged);
else {
  const started = performance.now();
  const chosen = chosenBy(options.only, subjects, ({ id }) => id).map(({ id, kind }) => ({ id, kind }));
  let [missed, unseen] = [0, 0];
  const tell = ({ id, kind }: (typeof chosen)[number], { measured, red, open }: Row) => {
    const said = red.length > 0 ? "caught" : open.length > 0 ? "open" : "passed";
    // Of a fault a case may be open: one that fails is enough.
    const isRight = kind === "unseen" || said === (kind === "wrong" ? "caught" : "passed");
    if (!isRight) missed += 1;
    if (kind === "unseen" && said !== "caught") unseen += 1;
    const verdict = isRight ? said : `${said.toUpperCase()}, WRONGLY`;
    process.stdout.write(`${id.padEnd(60)} ${kind.padEnd(6)} ${verdict.padEnd(15)} ${measured} ${open.join("; ")}\n`);
  };
  await inWorkers(chosen, WIDTH, tell);
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(
    `${chosen.length} subjects, ${missed} not as expected, ${unseen} faults that real time does not show, ${seconds} s\n`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
}
