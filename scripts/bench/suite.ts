/** How the time of a run grows with its cases. */
import { setTimeout as sleep } from "node:timers/promises";
import { cases } from "../../conformance/catalogue.ts";
import type { Case } from "../../conformance/harness/case.ts";
import { withStage } from "../../conformance/proof/changes.ts";
import { judgeSubject } from "../../conformance/proof/judge-subject.ts";
import type { Change } from "../../conformance/proof/subject.ts";
import type { Measure } from "./measure.ts";

const SLOW_MS = 50;

const slow: Change = withStage("action", async (_exchange, right) => {
  await sleep(SLOW_MS);
  return right();
});

const isProperty = ({ id }: Case) => id.startsWith("PROPERTY-");
const examples = cases.filter((item) => !isProperty(item));
/** Every second one: the same share of each theme. */
const half = examples.filter((_, index) => index % 2 === 0);

const parts: Readonly<Record<string, { chosen: readonly Case[]; change?: Change }>> = {
  "half of the example cases": { chosen: half },
  "all example cases": { chosen: examples },
  "the properties": { chosen: cases.filter(isProperty) },
  "half, slow target": { chosen: half, change: slow },
};

export const suite: Measure = {
  about: `Seconds to judge the embedded gateway on its driven clock, in this process. Slow target: every action takes ${SLOW_MS} ms longer.`,
  async measure() {
    const seconds: Record<string, number> = {};
    for (const [part, { chosen, change = {} }] of Object.entries(parts)) {
      const { results, ms } = await judgeSubject("bench", change, "reference", chosen);
      const red = results.filter(({ outcome }) => outcome !== "pass" && outcome !== "not-applicable");
      if (red.length > 0) throw new Error(`not all passed: ${red.map(({ id }) => id).join(", ")}`);
      seconds[part] = ms / 1000;
    }
    return { "the embedded gateway": seconds };
  },
};
