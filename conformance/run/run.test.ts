import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { createFlow } from "../interface/bodies.ts";
import type { Case } from "../harness/case.ts";
import { LIMIT_MET } from "../harness/case-record.ts";
import { check } from "../harness/checks.ts";
import { Failure, NotApplicable, Unreached } from "../harness/case-errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { HarnessError, OutOfTime } from "../http/harness-error.ts";
import { caseOf, gateway, goalCase, inProcess, judged } from "../test-support/gateway.test-support.ts";
import { handlerWith } from "../test-support/handler.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import type { Target } from "../targets/target-file.ts";

const outcomes = (results: readonly { id: string; outcome: string }[]) =>
  Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]));
const throwing = (id: string, error: unknown) => caseOf(id, { run: () => Promise.reject(error) });
const failing = async () => check(false, "one thing", "another");
const failingAfterCrash: Case["run"] = async (trial) => {
  await trial.post(createFlow("exit now"));
  check(false, "one thing", "another");
};
const ordinary = (count: number) => Array.from({ length: count }, (_, index) => caseOf(`ORDINARY-${index}`));

test.concurrent("every finding becomes the outcome that it stands for, in the order of the catalogue", async () => {
  const { results, of } = await judged(inProcess(), [
    caseOf("PASSES"),
    caseOf("FAILS", { run: failing }),
    caseOf("WARNS", { run: failing, level: "should" }),
    throwing("UNREACHED", new Unreached("no set-up")),
    throwing("NOT-APPLICABLE", new NotApplicable("not here")),
    throwing("HARNESS", new HarnessError("the kit erred")),
    throwing("BUG", new TypeError("a slip")),
    caseOf("NEEDS-CONTROL", { needs: ["clock"] }),
    caseOf("NEEDS-GAP", { gaps: ["auth.code"] }),
  ]);
  expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    "PASSES pass",
    "FAILS fail",
    "WARNS warn",
    "UNREACHED unreached",
    "NOT-APPLICABLE not-applicable",
    "HARNESS error",
    "BUG error",
    "NEEDS-CONTROL not-applicable",
    "NEEDS-GAP not-applicable",
  ]);
  expect(of("FAILS")).toMatchObject({ findings: [{ expected: "one thing", actual: "another" }] });
  expect(of("BUG").reason).toMatch(/^a fault of the suite: TypeError: a slip \| +at /);
  expect(of("NEEDS-CONTROL").reason).toBe("needs clock");
  expect(of("NEEDS-GAP").reason).toBe("the profile spec leaves auth.code open");
});

test.concurrent("a request that ends the target fails its case with the exit code; all others are judged", async () => {
  const cases = [...ordinary(10), goalCase("CRASHES", "exit now"), ...ordinary(26).slice(10)];
  const { results, of } = await judged(gateway(), cases);
  expect(of("CRASHES")).toMatchObject({
    outcome: "fail",
    findings: [{ expected: "a target that goes on answering", actual: "the target ended (exit code 7)" }],
  });
  expect(of("CRASHES").reason).toBe(
    "the target ended (exit code 7); the end of its stderr: gateway: starting | gateway: asked to exit",
  );
  expect(of("CRASHES").exchanges).toHaveLength(1);
  expect(results.filter(({ outcome }) => outcome === "pass")).toHaveLength(26);
});

test.concurrent("a target that ends a moment behind its last answer fails, whatever was asked for", async () => {
  const { results } = await judged(gateway(), [goalCase("ENDS", "exit soon")]);
  expect(outcomes(results)).toEqual({ ENDS: "pass", "ALWAYS-UP": "fail" });
  const [shown] = results[1]?.exchanges ?? [];
  expect(Buffer.from(shown?.request.body ?? []).toString()).toContain("exit soon");
});

test.concurrent("a target that one request brings to a halt is replaced", async () => {
  const target = gateway(["stubborn"], { requestTimeoutMs: 2000, start: { stopTimeoutMs: 100 } });
  const { results, of } = await judged(target, [goalCase("STALLS", "stall now"), ...ordinary(6)]);
  const actual = "the target no longer answers (no whole answer within 2000 ms)";
  expect(of("STALLS")).toMatchObject({ outcome: "fail", findings: [{ actual }] });
  expect(results.filter(({ outcome }) => outcome === "pass")).toHaveLength(6);
});

test.concurrent("a body that is owed may be waited for longer than an answer", async () => {
  const owes = caseOf("OWES", {
    async run(trial) {
      const upload = await trial.upload(trial.right());
      await trial.pass(800);
      check(!upload.answered, "no answer", "an answer", upload.pending());
    },
  });
  const { of } = await judged(inProcess({ requestTimeoutMs: 500 }), [owes]);
  expect(of("OWES").outcome).toBe("pass");
});

test.concurrent("a target that does not come up again is tried once, not for every case", async ({ folder }) => {
  const target = gateway([`one-start=${join(folder, "starts")}`]);
  const seen: string[] = [];
  const { results } = await judged(target, [goalCase("CRASHES", "exit now"), ...ordinary(20)], {
    onResult: ({ id }) => seen.push(id),
  });
  expect(seen.toSorted()).toEqual(results.map(({ id }) => id).toSorted());
  expect(results).toHaveLength(22);
  expect(results.at(-1)).toMatchObject({ id: "ALWAYS-UP", outcome: "fail" });
  expect(results.slice(0, -1).every(({ outcome }) => outcome === "error" || outcome === "pass")).toBe(true);
  expect(await readFile(join(folder, "starts"), "utf8")).toBe("start\nstart\n");
});

const never: Case["run"] = () => Promise.reject(new Error("never run"));

test.concurrent("a target passes by exiting with a bad configuration, and fails with a good one", async () => {
  const bad = caseOf("BAD", { variant: "noSecret", run: never });
  const good = caseOf("GOOD", { variant: "pairedFields", run: never });
  const target = gateway(["exit-on-bad-config", "exit-when-resolved"]);
  const { of } = await judged(target, [bad, good, caseOf("STANDARD")]);
  expect([of("BAD").outcome, of("STANDARD").outcome]).toEqual(["pass", "pass"]);
  const actual = "the target ended before it was ready (exit code 6)";
  expect(of("GOOD")).toMatchObject({ outcome: "fail", findings: [{ expected: "a gateway that answers", actual }] });
  expect(of("GOOD").reason).toBe(
    `with routes that have several fields of their own, and the cold route's secret there: ${actual}`,
  );
});

test.concurrent.each([
  ["one route only, where the in-flight limit takes addresses for one", "blind", /^127\.1\./],
  ["one address only, where the rate limit takes addresses for one", "blind-rate", /^127\.0\.0\.1$/],
] as const)("of two cases side by side neither shares a key with the other: %s", async (_, trick, address) => {
  const keys = await keysOfTwo(inProcess({ clientAddresses: undefined }, handlerWith(trick)));
  for (const { from } of keys) expect(from).toMatch(address);
  expect(new Set(keys.flatMap(({ paths }) => paths)).size).toBe(6);
});

test.concurrent.each([
  ["told apart also where create_flow is not answered", true, handlerWith("creates-once")],
  [
    "taken for one where slots that are still held refuse the first requests",
    false,
    handlerWith("blind", "blind-rate", "frees-late"),
  ],
])("client addresses are %s", async (_what, expected, served) => {
  let toldApart: boolean | undefined;
  const looks: Case["run"] = async (trial) => void ({ toldApart } = trial);
  await judged(inProcess({ clientAddresses: undefined }, served), [caseOf("LOOKS", { run: looks })]);
  expect(toldApart).toBe(expected);
});

test.concurrent(
  "a case that ran alone when the target ended is not passed for what it does when it is tried again",
  async () => {
    let tries = 0;
    const atFirst: Case["run"] = async (trial) => {
      tries += 1;
      if (tries === 1) await failingAfterCrash(trial);
    };
    const { of } = await judged(gateway(), [caseOf("BY-CHANCE", { run: atFirst, alone: true }), caseOf("LAST")]);
    expect(tries).toBe(2);
    expect(of("BY-CHANCE")).toMatchObject({
      outcome: "fail",
      findings: [{ expected: "a target that goes on answering", actual: "the target ended (exit code 7)" }],
      reason: expect.stringContaining("gateway: asked to exit") as string,
    });
    expect(of("LAST").outcome).toBe("pass");
  },
);

/** A case that ends with this error in its first so many tries. */
function erring(id: string, times: number, errorOf: (sent: Exchange) => Error): Case {
  let tries = 0;
  return caseOf(id, {
    alone: true,
    run: async (trial) => {
      const { answer: _lost, ...sent } = await trial.post(createFlow("an ordinary goal"));
      tries += 1;
      if (tries <= times) throw errorOf({ ...sent, fault: "no whole answer" });
    },
  });
}

const unreached = (id: string, times: number) => erring(id, times, () => new Unreached("no slot was free"));
const unanswered = (id: string, times: number) => erring(id, times, (sent) => new Failure("an answer", "none", [sent]));

test.concurrent(
  "a case whose request was not answered is tried again alone, and the run names it where it passes then",
  async () => {
    const cases = [unanswered("ONCE", 1), unanswered("ALWAYS", 9), ...ordinary(2)];
    const { results, notes } = await judged(inProcess(), cases);
    expect(outcomes(results)).toEqual({ ONCE: "pass", ALWAYS: "fail", "ORDINARY-0": "pass", "ORDINARY-1": "pass" });
    expect(notes).toContain("passed when tried again alone: ONCE");
  },
);

test.concurrent(
  "a case that could not be put to the test is tried again alone, as others may have been in its way",
  async () => {
    const { results, notes } = await judged(inProcess(), [unreached("ONCE", 1), unreached("ALWAYS", 9)]);
    expect(outcomes(results)).toEqual({ ONCE: "pass", ALWAYS: "unreached" });
    expect(notes).toContain("passed when tried again alone: ONCE");
  },
);

test.concurrent("a case that a silent target keeps from being put to the test twice fails", async () => {
  const silent = erring("SILENT", 9, (sent) => new Unreached("no whole answer", [sent]));
  const { results, of } = await judged(inProcess(), [silent, ...ordinary(1)]);
  expect(outcomes(results)).toEqual({ SILENT: "fail", "ORDINARY-0": "pass" });
  expect(of("SILENT").findings).toMatchObject([{ expected: "an answer to a valid request" }]);
});

test.concurrent(
  "where two requests are not answered again it is the target, and the other cases are not tried again",
  async () => {
    const cases = [unanswered("FIRST", 9), unanswered("SECOND", 9), unanswered("THIRD", 1)];
    const { results, notes } = await judged(inProcess(), cases);
    expect(outcomes(results)).toEqual({ FIRST: "fail", SECOND: "fail", THIRD: "fail" });
    expect(notes.join()).not.toContain("retried");
  },
);

test.concurrent("what was found is kept where the run is broken off while another server starts", async () => {
  const stop = new AbortController();
  const cases = [caseOf("FIRST"), caseOf("RESOLVED", { variant: "pairedFields" })];
  const { results } = await judged(inProcess(), cases, { signal: stop.signal, onResult: () => stop.abort("enough") });
  expect(outcomes(results)).toEqual({ FIRST: "pass" });
});

/** Tells what it has found once it is broken off. */
const tells: Case["run"] = async ({ signal }) => {
  if (!signal.aborted) await once(signal, "abort");
  await new Promise((wake) => setImmediate(wake));
  const story = { steps: [{ what: "a request", answers: [] }], requests: 1 };
  throw new Failure("one thing", "another", [], { story });
};

test.concurrent(
  "a run that waits a minute for its limits is broken off at once, and what cases under way found is kept",
  async () => {
    const stop = new AbortController();
    const cases = [caseOf("TELLS", { run: tells }), ...ordinary(13).map((item) => ({ ...item, requests: 120 }))];
    let done = 0;
    // All lanes but the one of the first case are used up then.
    const onResult = () => void (++done === 11 && stop.abort("enough"));
    const { results } = await judged(inProcess({}, handlerWith("blind")), cases, { signal: stop.signal, onResult });
    expect(results).toHaveLength(12);
    expect(results[0]).toMatchObject({
      id: "TELLS",
      outcome: "fail",
      findings: [{ story: { steps: [{ what: "a request" }] } }],
    });
  },
);

/** The keys of two cases that are under way at the same time. */
async function keysOfTwo(target: Target) {
  const keys: { from: string; paths: string[] }[] = [];
  const both = new EventEmitter();
  const meets: Case["run"] = async (trial) => {
    keys.push({ from: trial.from, paths: [trial.route.path, trial.sibling.path, trial.stranger.path] });
    if (keys.length === 2) both.emit("met");
    else await once(both, "met");
  };
  const { results } = await judged(target, [caseOf("ONE", { run: meets }), caseOf("TWO", { run: meets })]);
  expect(outcomes(results)).toEqual({ ONE: "pass", TWO: "pass" });
  const [first, second] = keys;
  if (first === undefined || second === undefined) throw new Error("the cases did not meet");
  return [first, second] as const;
}

test.concurrent(
  "a case that a busy machine left no time for is tried again, and is unreached with the machine's load",
  async () => {
    let tries = 0;
    const late = async () => {
      tries += 1;
      throw new OutOfTime("the machine was too busy to keep the time of this case");
    };
    const { of } = await judged(inProcess(), [caseOf("LATE", { run: late }), caseOf("BESIDE")]);
    expect(tries).toBe(2);
    expect(of("LATE")).toMatchObject({ outcome: "unreached", late: true });
    expect(of("LATE").reason).toMatch(/^the machine was too busy .* \(load average \d+ on \d+ cores\)$/);
  },
);

test.concurrent(
  "a case that a limit refuses is tried again alone, and is unreached where that does not help",
  async () => {
    let tries = 0;
    const meets = caseOf("MEETS", {
      run: async () => {
        tries += 1;
        throw new Unreached(LIMIT_MET);
      },
    });
    const { of } = await judged(inProcess(), [meets, ...ordinary(1)]);
    expect(tries).toBe(2);
    expect(of("MEETS")).toMatchObject({
      outcome: "unreached",
      reason: expect.stringContaining("ALWAYS-WITHIN-LIMITS"),
    });
  },
);
