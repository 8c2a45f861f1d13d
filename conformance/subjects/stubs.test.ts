import { describe, expect, test } from "vitest";
import { cases } from "../cases/index.ts";
import { StartError } from "../target/start-error.ts";
import { judgeStub } from "./judge-subject.ts";
import { findingsOf, passesOf } from "./proof.ts";
import { stubs } from "./stubs.ts";

const silent = ["hangs", "refuses"];
/** `npm run prove` asks them for the costly cases as well. */
const affordable = cases.filter(({ costly }) => costly !== true);

describe("a stub that answers everything alike", () => {
  test.concurrent.each(stubs.filter(({ id }) => !silent.includes(id)).map((stub) => [stub.id, stub] as const))(
    "%s gets no required pass",
    async (_id, stub) => {
      const { results } = await judgeStub(stub, affordable);
      expect(passesOf(findingsOf(results)).map(({ id }) => id)).toEqual([]);
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
