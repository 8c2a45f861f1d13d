/**
 * Measures each number of section 8 on plugins that have it wrong by several sizes, and on lawful ones, and prints what was
 * measured and whether a case failed. Usage: sweep.ts [--real] [--only WORD]; `--real` takes minutes, most of it waiting.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "../conformance/catalogue.ts";
import { different } from "../conformance/proof/different/index.ts";
import { rateWindow } from "../conformance/proof/broken/limits/rate-window.ts";
import { sweep } from "../conformance/proof/broken/limits/sweep.ts";
import { runSuite } from "../conformance/proof/judge-subject.ts";
import { launchedTarget, launchOf } from "../conformance/proof/launch.ts";
import { chosenBy } from "./options.ts";
import { inWorkers, workOff } from "./prove/workers.ts";

const { values } = parseArgs({
  options: {
    real: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    worker: { type: "boolean", default: false },
  },
});

/** Subjects of one worker at a time: those in real time mostly wait. */
const WIDTH = values.real ? 8 : 2;
const measuring = ["RATE-120-ACCEPTED", "RATE-WINDOW-60-SECONDS", "IN-FLIGHT-9-REFUSED", "BODY-15-SECONDS"];

/** A fault that needs a second window to its end does not show in real time. */
const windows = rateWindow.filter(({ kills }) => kills.includes("RATE-WINDOW-60-SECONDS"));
const lawful = different
  .filter(({ id }) => id.includes("windows-"))
  .map((one) => ({ ...one, kills: measuring, isLawful: true }));
const isUnseen = (id: string) => id === "rate-window-grows" || id === "rate-second-windows-short";
const faults = [...sweep, ...windows.map((one) => ({ ...one, isNear: isUnseen(one.id) }))];
const near = faults.filter(({ isNear }) => isNear && values.real).map((one) => ({ ...one, isLawful: true }));
const wrong = faults.filter(({ isNear }) => !isNear || !values.real);
const subjects = [...wrong.map((one) => ({ ...one, isLawful: false })), ...near, ...lawful];

interface Row {
  readonly measured: string;
  readonly red: readonly string[];
  readonly open: readonly string[];
}

async function judged({ id }: { readonly id: string }): Promise<Row> {
  const subject = subjects.find((one) => one.id === id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const target = launchedTarget(id, launchOf(subject.change, values.real));
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

if (values.worker) workOff(judged);
else {
  const started = performance.now();
  const chosen = chosenBy(values.only, subjects, ({ id }) => id).map(({ id, isLawful }) => ({ id, isLawful }));
  let missed = 0;
  const args = ["--worker", ...(values.real ? ["--real"] : [])];
  const tell = ({ id, isLawful }: (typeof chosen)[number], { measured, red, open }: Row) => {
    // Of a wrong one a case may be open: one that fails is enough.
    const isRight = isLawful ? red.length === 0 && open.length === 0 : red.length > 0;
    if (!isRight) missed += 1;
    const said = isLawful ? "passed" : "caught";
    const verdict = isRight ? said : `NOT ${said}`;
    process.stdout.write(`${id.padEnd(60)} ${verdict.padEnd(11)} ${measured} ${open.join("; ")}\n`);
  };
  await inWorkers(chosen, { file: fileURLToPath(import.meta.url), args, width: WIDTH }, tell);
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${chosen.length} subjects, ${missed} not as expected, ${seconds} s\n`);
  process.exitCode = missed === 0 ? 0 : 1;
}
