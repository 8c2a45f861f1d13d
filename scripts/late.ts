/**
 * How often the cases catch a write that comes late, by how much later it comes. Usage: late.ts [--us 50,100]
 * [--runs N] [--only WORD] [--served] [--cases ID,ID]; --served starts each subject as a process of its own, WORD: part
 * of a subject's id, --cases: these cases instead of those that have to catch it.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "../conformance/catalogue.ts";
import { readProfile } from "../conformance/interface/profile.ts";
import { withSourcesFor } from "../conformance/run/plan.ts";
import { lateSubject, writtenLate } from "../conformance/proof/late-writes.ts";
import { subjectTarget } from "../conformance/proof/launch.ts";
import { servedTarget } from "../conformance/proof/target.ts";
import { runContext } from "../conformance/run/context.ts";
import { run } from "../conformance/run/run.ts";
import { keyringFor } from "../conformance/targets/secrets-file.ts";
import { chosenBy, wholeNumber } from "./options.ts";
import { inWorkers, workOff } from "./workers.ts";

const { values } = parseArgs({
  options: {
    us: { type: "string", default: "50,100,300,1000,3000" },
    runs: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    cases: { type: "string", default: "" },
    served: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
  },
});
const runs = wholeNumber("--runs", values.runs);

/** In how many of the runs each case failed, and the first other outcome. */
async function caught(id: string): Promise<string> {
  const subject = lateSubject(id);
  if (subject === undefined) throw new Error(`there is no subject ${id}`);
  const wanted = values.cases === "" ? subject.kills : values.cases.split(",");
  const chosen = cases.filter((item) => wanted.includes(item.id));
  const target = values.served ? servedTarget(id) : subjectTarget(id, subject.change);
  const profile = await readProfile("reference", ".");
  const counts = new Map(chosen.map((item) => [item.id, 0]));
  const others = new Set<string>();
  for (const item of chosen) {
    const context = runContext({
      target: withSourcesFor([item], target),
      profile,
      cases: [item],
      keyring: await keyringFor(target),
      repeat: runs,
      onResult: ({ outcome, reason = "" }) => {
        if (outcome === "fail") counts.set(item.id, (counts.get(item.id) ?? 0) + 1);
        else if (outcome !== "pass") others.add(`${item.id}: ${outcome} ${reason}`);
      },
    });
    await run(context);
  }
  const shares = [...counts].map(([of, count]) => `${of} ${count}`);
  return [`${shares.join(", ")} of ${runs}`, ...others].join("\n    ");
}

async function main(): Promise<void> {
  const lengths = values.us.split(",").map((text) => wholeNumber("--us", text));
  const all = (["limits", "states"] as const).flatMap((theme) => lengths.flatMap((us) => writtenLate(theme, us)));
  const args = [...process.argv.slice(2), "--worker"];
  await inWorkers<string>(fileURLToPath(import.meta.url), args, chosenBy(values.only, all), 1, ({ id }, line) => {
    process.stdout.write(`${id.padEnd(34)} ${line}\n`);
  });
}

await (values.worker ? workOff(caught) : main());
