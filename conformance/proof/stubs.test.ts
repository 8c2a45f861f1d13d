import { describe, expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { StartError } from "../foundation/start-error.ts";
import { judgeStub } from "./judge-subject.ts";
import { outcomesOf, requiredPassesIn } from "./proof.ts";
import { stubs } from "./stubs.ts";

const silent = ["hangs", "refuses"];
/** Only `must` cases count; `npm run prove` runs the costly ones as well. */
const required = cases.filter(({ level, costly }) => level === "must" && costly !== true);

describe("a stub that answers everything alike", () => {
  test.concurrent.each(stubs.filter(({ id }) => !silent.includes(id)).map((stub) => [stub.id, stub] as const))(
    "%s gets no required pass",
    async (_id, stub) => {
      const { results } = await judgeStub(stub, required);
      expect(results).toHaveLength(required.length);
      expect(requiredPassesIn(outcomesOf(results)).map(({ id }) => id)).toEqual([]);
    },
    120_000,
  );

  test.concurrent.each(stubs.filter(({ id }) => silent.includes(id)).map((stub) => [stub.id, stub] as const))(
    "%s is never taken for a target",
    async (_id, stub) => {
      await expect(judgeStub(stub, cases)).rejects.toThrow(StartError);
    },
    120_000,
  );
});
