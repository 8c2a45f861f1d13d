/** The ways in which a request may end. Each frees the slot that it had, and takes its part off the budget of its key. */
import { cancelFlow, change, createFlow, runTask, smallest } from "../../interface/bodies.ts";
import { spoilt, type RefusalId } from "../../interface/broken-requests.ts";
import { actionNames, type ActionName } from "../../interface/fields.ts";
import { changeActions, flowActions } from "../../interface/flow-model.ts";
import { IN_FLIGHT } from "../../interface/limits.ts";
import {
  withBody,
  withMethod,
  withoutSecret,
  withProductHeader,
  type ActionBody,
  type Request,
} from "../../interface/request.ts";
import { servedBodies } from "../../harness/arrivals.ts";
import { Failure, NotApplicable } from "../../harness/case-errors.ts";
import { withFault } from "../../harness/faults.ts";
import { absentId, sendChange, waitingFlow } from "../../harness/flows.ts";
import { cheap, hold, type Key } from "../../harness/limit-keys.ts";
import { mustKnowIds } from "../../harness/own-ids.ts";
import { rightTask, startedTask } from "../../harness/tasks.ts";
import { answeredSoon, LATE_MS } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";

/** A target answers what needs no more than its head within this time, and closes a connection that cannot go on, ms. */
const BRIEFLY_MS = 1000;

/** Sends a request with this key, and brings it to its end. What that needs beforehand is sent with the trial's own key. */
type End = (trial: Trial, key: Key) => Promise<unknown>;

export interface Ending {
  /** Behind "one that was". */
  readonly what: string;
  readonly end: End;
  /** Requests that it takes off the budget; undefined where that is open. */
  readonly spends: number | undefined;
}

const refusedFor =
  (refusals: readonly RefusalId[], framing: Pick<Request, "chunked"> = {}): End =>
  (trial, key) =>
    trial.send({ ...spoilt(cheap(trial, key), ...refusals), ...framing }, key.from);

const sent =
  (bodyFor: (trial: Trial) => ActionBody | Promise<ActionBody>): End =>
  async (trial, key) =>
    trial.send(trial.right(await bodyFor(trial), key.route), key.from);

/** Broken off when so many bytes of its body are sent, and by default when the target has them. */
const brokenOff =
  (bytesOf: (request: Request) => number, framing: Partial<Request> = {}, isAtOnce = false): End =>
  async (trial, key) => {
    const right = cheap(trial, key);
    const request = { ...right, ...framing, headers: [...right.headers, ...(framing.headers ?? [])] };
    const upload = await trial.upload(request, { from: key.from });
    await upload.write(bytesOf(request));
    if (!isAtOnce) await trial.barrier();
    upload.abort();
  };

/** Sent in part where its head is enough to refuse it, and then broken off or left so. */
const inPart =
  (refusals: readonly RefusalId[], how: { announced?: number; isLeft?: true } = {}): End =>
  async (trial, key) => {
    const upload = await trial.upload(spoilt(cheap(trial, key), ...refusals), { from: key.from, ...how });
    await upload.write(1);
    await upload.answeredWithin(BRIEFLY_MS);
    if (how.isLeft !== true) upload.abort();
  };

/** What a browser sends before a request of a page of another origin. */
const preflight = (request: Request): Request => ({
  ...withBody(withMethod(request, "OPTIONS"), ""),
  headers: [
    ["origin", "https://example.org"],
    ["access-control-request-method", "POST"],
    ["access-control-request-headers", "authorization,content-type"],
  ],
});

/** What method and content type refuse comes to neither limit. */
const early: Readonly<Record<string, End>> = {
  "refused for its method": refusedFor(["METHOD"]),
  // A gateway may answer it itself.
  "a CORS preflight request": (trial, key) => trial.send(preflight(cheap(trial, key)), key.from),
  "refused for its content type": refusedFor(["CONTENT-TYPE"]),
  "to be refused for its method while its body is owed": inPart(["METHOD"], { isLeft: true }),
  "to be refused for its content type while its body is owed": inPart(["CONTENT-TYPE"], { isLeft: true }),
};

/** A server may count what is broken off or malformed, or see no request in it. */
const torn: Readonly<Record<string, End>> = {
  "broken off by the client before the body": brokenOff(() => 0),
  "broken off by the client behind Expect: 100-continue, before the body": brokenOff(() => 0, {
    headers: [["expect", "100-continue"]],
  }),
  "broken off by the client within the body": brokenOff(({ body }) => body.byteLength - 1),
  "broken off by the client between two chunks": brokenOff(({ body }) => body.byteLength - 1, { chunked: true }),
  "broken off by the client while it waits for the answer": brokenOff(({ body }) => body.byteLength),
  "broken off by the client right behind the body": brokenOff(({ body }) => body.byteLength, {}, true),
  "broken off by the client within its body, with a wrong secret": inPart(["AUTH"]),
  "broken off by the client within a body announced as too large": inPart([], { announced: 1_000_000 }),
  async "refused for a malformed chunk"(trial, key) {
    const head = trial.wire(withBody(cheap(trial, key), ""), key.from, ["transfer-encoding: chunked"]);
    const connection = trial.connection(1, key.from);
    connection.write(head);
    await trial.barrier();
    connection.write(Buffer.from("zz\r\n"));
    await connection.closedWithin(BRIEFLY_MS);
  },
  // A server that answers one at a time may close the connection behind the first.
  async "answered behind another that its connection carries as well"(trial, key) {
    const connection = trial.connection(2, key.from);
    const wire = trial.wire(cheap(trial, key), key.from);
    connection.write(Buffer.concat([wire, wire]));
    await connection.answered(2, BRIEFLY_MS);
  },
  async "refused beside eight in flight"(trial, key) {
    const { finish } = await hold(trial, key, 2);
    await trial.send(cheap(trial, key), key.from);
    await finish();
  },
};

/** What a flow may be read by again and again. */
const reads: readonly ActionName[] = ["get_flow", "resolve_flow", "get_task_summary"];

/** Answered, on a connection of its own. */
async function answeredAlone(trial: Trial, key: Key) {
  const connection = trial.connection(1, key.from);
  connection.write(trial.wire(cheap(trial, key), key.from));
  await connection.answered(1, 3 * BRIEFLY_MS);
  return connection;
}

const whole: Readonly<Record<string, End>> = {
  "answered, on a connection that is kept open": answeredAlone,
  "answered, on a connection that is closed behind it": async (trial, key) => (await answeredAlone(trial, key)).abort(),
  "refused for a wrong secret": refusedFor(["AUTH"]),
  "refused for want of a secret": (trial, key) => trial.send(withoutSecret(cheap(trial, key)), key.from),
  "refused for a wrong secret in the product's header": (trial, key) =>
    trial.send(withProductHeader(cheap(trial, key), trial.product, "wrong"), key.from),
  "refused for malformed JSON": refusedFor(["BAD-JSON"]),
  "sent with a body that is not UTF-8": (trial, key) =>
    trial.send(withBody(cheap(trial, key), Buffer.from('{"action":"list_flows","of":"\xff"}', "latin1")), key.from),
  "refused for an empty body": (trial, key) => trial.send(withBody(cheap(trial, key), ""), key.from),
  "refused for an unknown action": sent(() => ({ action: "no_such_action" })),
  "refused for a field that the action does not have": sent(() => createFlow("conformance", { "no-such-field": 1 })),
  "refused for a blank goal": sent(() => createFlow(" ")),
  async "a cancel_flow of a flow with a running child"(trial, key) {
    const { flowId } = await trial.flow();
    await startedTask(trial, flowId, { status: "running" });
    await sent(() => cancelFlow(flowId, trial.profile.fields))(trial, key);
  },
  async "refused for a flow that is not managed"(trial, key) {
    if (trial.server.control?.capabilities.has("sessions") !== true) throw new NotApplicable("no flow can be seeded");
    await mustKnowIds(trial);
    const flow = await trial.control.seed({ sessionKey: key.route.sessionKey, managed: false, status: "waiting" });
    return sent(() => change("finish_flow", flow))(trial, key);
  },
  ...named(
    actionNames.filter((action) => !reads.includes(action)),
    "that is accepted",
    rightBody,
  ),
};

/** A server that takes no chunks may refuse them before it counts. */
const inChunks: Readonly<Record<string, End>> = {
  "refused for malformed JSON in chunks": refusedFor(["BAD-JSON"], { chunked: true }),
  "refused for a body that is too large, in chunks": refusedFor(["TOO-LARGE"], { chunked: true }),
};

/** The body of a right request, about a flow of its own in a state that allows it. */
async function rightBody(action: ActionName, trial: Trial): Promise<ActionBody> {
  const flow = action === "resume_flow" ? await waitingFlow(trial) : await trial.flow();
  return action === "run_task" ? rightTask(trial, flow.flowId) : smallest(action, flow, trial.profile.fields);
}

function named<Action extends ActionName>(
  actions: readonly Action[],
  how: string,
  bodyFor: (action: Action, trial: Trial) => ActionBody | Promise<ActionBody>,
): Record<string, End> {
  return Object.fromEntries(actions.map((action) => [`a ${action} ${how}`, sent((trial) => bodyFor(action, trial))]));
}

/** The ways in which a flow, or what is asked of it, refuses a request; the same flows serve all of them. */
async function byFlow(trial: Trial): Promise<Record<string, End>> {
  const { fields } = trial.profile;
  const begun = await trial.flow();
  const [once, again] = [trial.fresh(), trial.fresh()];
  const ended = await sendChange(once, "finish_flow", await once.flow());
  const asked = await sendChange(again, "request_cancel", await again.flow());
  const absent = { flowId: absentId(begun.flowId), revision: 0 };
  const ahead = { ...begun, revision: begun.revision + 1000 };
  const { sessionKey } = trial.stranger;
  return {
    ...named(reads, "that is accepted", (action) => smallest(action, begun, fields)),
    ...named([...flowActions, ...reads], "of an absent flow", (action) => smallest(action, absent, fields)),
    ...named(flowActions, "of an ended flow", (action) => smallest(action, ended, fields)),
    ...named(changeActions, "with another revision than the flow's", (action) => change(action, ahead)),
    "a resume_flow of a flow that does not wait": sent(() => change("resume_flow", begun)),
    "a run_task of a flow whose cancellation is requested": sent(() => rightTask(trial, asked.flowId)),
    "a run_task with an unknown runtime": sent(() => runTask(begun.flowId, { runtime: "unknown" })),
    "a run_task with startedAt that is not running": sent(() => runTask(begun.flowId, { startedAt: Date.now() })),
    "a run_task for a session that is another's": sent(() => runTask(begun.flowId, { childSessionKey: sessionKey })),
  };
}

const OVERDUE_MS = 15_500;

/** Requests that end together, and what touches all of a target. */
export const severalEndings = ([broken, late]: readonly [number, number]): readonly Ending[] => [
  {
    what: `the last of ${broken} that were broken off together`,
    spends: broken,
    end: async (trial, key) => (await hold(trial, key, broken)).abort(),
  },
  {
    what: `the last of ${late} whose bodies ran out of time`,
    spends: late,
    async end(trial, key) {
      if (!trial.driven) throw new NotApplicable("not tried in quick runs");
      const { uploads } = await hold(trial, key, late, await servedBodies(trial));
      await trial.pass(OVERDUE_MS);
      const clause = "BODY-TIME";
      for (const upload of uploads)
        if (!(await answeredSoon(trial, upload, LATE_MS)))
          throw new Failure("a refusal after 15 seconds", "no whole answer", [upload.pending()], { clause });
    },
  },
  {
    what: "refused beside eight",
    spends: IN_FLIGHT + 1,
    async end(trial, key) {
      const held = await hold(trial, key, IN_FLIGHT);
      await trial.send(cheap(trial, key), key.from);
      await held.finish();
    },
  },
  ...(["create", "update"] as const).map((fault): Ending => ({
    what: `refused as ${fault === "create" ? "a flow" : "a change"} cannot be stored`,
    spends: 1,
    async end(trial, { route, from }) {
      if (trial.server.control?.capabilities.has("persistence") !== true) throw new NotApplicable("no store fails");
      const body = fault === "create" ? createFlow("not stored") : change("finish_flow", await trial.flow());
      await withFault(trial, fault, () => trial.send(trial.right(body, route), from));
    },
  })),
  {
    what: "beside one of another client",
    spends: 0,
    end: (trial, key) => trial.send(cheap(trial, key), trial.from),
  },
];

const spending = (ends: Readonly<Record<string, End>>, spends: Ending["spends"]): Ending[] =>
  Object.entries(ends).map(([what, end]) => ({ what, end, spends }));

/** All of them, for the routes of this trial; the plainest first, as the first of those that are wrong is blamed. */
export async function endingsFor(trial: Trial): Promise<Ending[]> {
  const isTaken = (await servedBodies(trial)).some(({ chunked }) => chunked === true);
  return [
    ...spending({ ...whole, ...(await byFlow(trial)), ...(isTaken && inChunks) }, 1),
    ...spending(early, 0),
    ...spending({ ...torn, ...(!isTaken && inChunks) }, undefined),
  ];
}
