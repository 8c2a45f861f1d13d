/** Of a target that loses one slot, those that only come free late are not told as lost. */
import { expect, test } from "vitest";
import { endingsFor } from "../cases/limits/endings.ts";
import { judgeEndings } from "../cases/limits/in-flight-freed.ts";
import { cases } from "../catalogue.ts";
import type { Case } from "../harness/case.ts";
import { readProfile } from "../interface/profile.ts";
import { runContext } from "../run/context.ts";
import { run } from "../run/run.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { launchedTarget, launchOf } from "./launch.ts";
import { add, limiting } from "./limit-books.ts";

const LOST = "broken off by the client before the body";
/** Longer than a brisk look waits, and shorter than a patient one, ms. */
const LATE_MS = 1000;

/** The slot of a body that broke off before it began is lost; of one that had begun it comes free late. */
const loses = limiting(() => ({
  read(outcome, key, books, { readableDidRead }) {
    if (outcome !== "aborted") return;
    add(books, key, 1);
    if (readableDidRead) setTimeout(() => add(books, key, -1), LATE_MS);
  },
}));

test("behind a slot that is lost those that come free late are no findings", async () => {
  const target = launchedTarget("loses", launchOf(loses));
  const [profile, keyring] = [await readProfile("reference", "."), await keyringFor(target)];
  const item = cases.find(({ id }) => id === "IN-FLIGHT-FREED") ?? expect.fail("there is no such case");
  const ends = [LOST, "broken off by the client within the body"];
  const judgesBoth: Case = {
    ...item,
    run: async (trial) =>
      judgeEndings(
        trial,
        (await endingsFor(trial)).filter(({ what }) => ends.includes(what)),
      ),
  };
  const { results } = await run(runContext({ target, profile, cases: [judgesBoth], keyring }));
  const freed = results.find(({ id }) => id === "IN-FLIGHT-FREED");
  expect(freed?.findings?.map(({ expected }) => expected)).toEqual([
    `room for eight requests in flight, after one that was ${LOST}`,
  ]);
});
