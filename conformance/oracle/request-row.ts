/** Judges one request whose parts are the values of a row: which check answers it, how, and what it must not have done. */
import { randomUUID } from "node:crypto";
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import { withBody, type Request } from "../interface/request.ts";
import { askedOnce } from "../harness/asked-once.ts";
import { arrive, usualArrival, type Arrival } from "../harness/arrivals.ts";
import { Failure, NotApplicable, Unreached } from "../harness/case-errors.ts";
import { check, isRefused, mustAccept, mustRefuse } from "../harness/checks.ts";
import { envelopeFault, mayBeOfServer } from "../harness/envelope.ts";
import { resultText } from "../harness/flows.ts";
import { fingerprint } from "../harness/refusals.ts";
import type { Trial } from "../harness/trial.ts";
import {
  checks as allChecks,
  COLD,
  isRight,
  parts,
  requestOf,
  routes,
  usual,
  type Check,
  type Part,
} from "./request-factors.ts";

/** A factor that a table leaves out has its usual value. */
export type RequestRow = Readonly<Record<string, string>>;

const valuesIn = (row: RequestRow) =>
  Object.fromEntries(parts.map((part) => [part, row[part] ?? usual[part]])) as Record<Part, string>;

export const routeOf = (trial: Trial, { route = "default path" }: RequestRow) =>
  routes[route as keyof typeof routes](trial);
export const arrivalOf = (row: RequestRow): Arrival => ({ ...usualArrival, ...(row as Partial<Arrival>) });

/** The checks that refuse the row's request, in their order. */
export const refusingChecks = (row: RequestRow): Check[] =>
  allChecks.filter((part) => !isRight(part, row[part] ?? usual[part]));

/** GET and HEAD have no body (RFC 9110, 9.3.1), unless POST is said to be meant. */
const bodiless = (request: Request, override: string): Request =>
  override === usual.override && ["GET", "HEAD"].includes(request.method) ? withBody(request, "") : request;

/** The row's request. `goal`: of the flow that it creates where it is carried out. */
export function requestFor(trial: Trial, row: RequestRow, goal = "conformance", route = routeOf(trial, row)): Request {
  const values = valuesIn(row);
  return bodiless(requestOf(trial, route, goal, values), values.override);
}

const once = askedOnce<Exchange>(({ answer }) => answer === undefined);

/** The answer to these values alone, at the route of the usual kind and in the usual way; asked for once. */
const alone = (trial: Trial, row: RequestRow): Promise<Exchange> =>
  once(trial.server, JSON.stringify(row), () => trial.fresh().send(requestFor(trial, row)));

/** Rows played so far: `lookForEffects` searches for their goals later. */
const played = new WeakMap<object, { readonly goal: string; readonly exchange: Exchange }>();

/** Sends the row's request and judges its answer. */
export async function playRow(trial: Trial, row: RequestRow): Promise<void> {
  const goal = `row ${randomUUID()}`;
  const key = { route: routeOf(trial, row), from: trial.from };
  // The previous request on the connection has this secret and its own route, where it is right: a target must not remember it.
  const beside = valuesIn(row).credential === "another route's secret" ? trial.route : key.route;
  const request = requestFor(trial, row, goal);
  const { exchange, isCutOff, before, next } = await arrive(trial, key, arrivalOf(row), request, beside);
  if (isCutOff) throw new NotApplicable("the target closed the connection after the previous answer");
  played.set(row, { goal, exchange });
  await judgeRow(trial, row, exchange);
  // Requests of one connection are carried out one after the other, each with its own body (RFC 9112, 9.3.2).
  // A read of the session may see what this one has done: a server may work on both at once, as long as it answers in order.
  const isOfSession = ["list_flows", "find_latest_flow"].includes(trial.facts.cheapBody.action);
  if (before !== undefined && !isOfSession && Buffer.from(before.body).includes(goal))
    throw new Failure("the answer to the request before, with nothing of this one", "its goal there", [exchange]);
  if (next !== undefined && !isAccepted(next))
    throw new Failure("the next request of the connection accepted", describe(next), [next], {
      clause: "SERVICE-ROUTE",
    });
}

async function judgeRow(trial: Trial, row: RequestRow, exchange: Exchange): Promise<void> {
  const checks = refusingChecks(row);
  const [first] = checks;
  const values = valuesIn(row);
  if (exchange.answer === undefined) return mustBeLawfulSilence(values, first, exchange);
  if (first === undefined) await mustBeCarriedOut(trial, values, exchange);
  else if (first === "credential") mustRefuse(exchange, { status: 401 });
  else if (first === "body") await mustRefuseBody(trial, values, exchange);
  else await mustRefuseFirst(trial, row, first, exchange, await laterAnswers(trial, row, checks));
  await mustBeEnvelope(trial, row, first, exchange);
}

/** If the plain request gets no envelope either, only ALWAYS-ENVELOPE reports it. */
async function mustBeEnvelope(
  trial: Trial,
  row: RequestRow,
  first: Check | undefined,
  exchange: Exchange,
): Promise<void> {
  const fault = mayBeOfServer(exchange) ? undefined : envelopeFault(exchange, routeOf(trial, row).id);
  if (fault === undefined) return;
  const values = valuesIn(row);
  const plain = await alone(trial, first === undefined ? { action: values.action, body: values.body } : typical[first]);
  if (envelopeFault(plain, routeOf(trial, {}).id) !== undefined) return;
  throw new Failure(fault.expected, fault.actual, [exchange]);
}

const typical: Readonly<Record<Check, RequestRow>> = {
  method: { method: "PUT" },
  "content type": { "content type": "text/plain" },
  credential: { credential: "wrong" },
  body: { body: "no JSON" },
};

/** A large body may be cut off with its connection, and a server may close on a method that it does not know. */
function mustBeLawfulSilence(values: Record<Part, string>, first: Check | undefined, exchange: Exchange): void {
  if (values.body === "262,145 bytes" && first === "body") return;
  const isLost = values.body === "262,145 bytes" || (first === "method" && mayBeOfServer(exchange));
  if (isLost && values.method !== "HEAD") throw new NotApplicable("the answer was lost with its connection");
  throw new Failure("an answer", describe(exchange), [exchange]);
}

const openBodies = ["an unknown field", "an unknown field, nested 20 deep"];

/** How the request is answered is open, but the plain form of the same request must get the same answer. */
function mustBeAlike(exchange: Exchange, plain: Exchange): void {
  if (plain.answer === undefined)
    throw new Unreached("the baseline request got no answer, so there is nothing to compare with", [plain]);
  if (isAccepted(plain)) return void mustAccept(exchange);
  const wanted = `the answer to it in its plainest form (${describe(plain)})`;
  check(fingerprint(exchange) === fingerprint(plain), wanted, describe(exchange), exchange);
}

async function mustBeCarriedOut(trial: Trial, { action, body }: Record<Part, string>, exchange: Exchange) {
  const isOpen = openBodies.includes(body);
  if (action === usual.action && !isOpen) mustAccept(exchange);
  else mustBeAlike(exchange, await alone(trial, isOpen ? { action, body: "an unknown field" } : { action }));
}

async function mustRefuseBody(trial: Trial, { action, body }: Record<Part, string>, exchange: Exchange) {
  if (body === "an unknown action") return mustBeAlike(exchange, await alone(trial, { body }));
  mustRefuse(exchange);
  // BODY-SHAPES judges that the plain form gets 400 invalid_request.
  if (body !== "262,145 bytes") return mustBeAlike(exchange, await alone(trial, { body }));
  const plain = await alone(trial, { action });
  const isCarriedOut = fingerprint(plain) === fingerprint(exchange);
  check(!isCarriedOut, "a refusal of the body", `${describe(exchange)}, as to the action`, exchange);
}

/** The status and the text of an answer that has one. */
const told = (exchange: Exchange, other: Exchange): string =>
  exchange.request.method === "HEAD" ? `${other.answer?.status}` : fingerprint(other);

/** Fails unless the request is refused, and not as one of these others says: a later check, or the action. */
export async function mustRefuseFirst(
  trial: Trial,
  row: RequestRow,
  first: Check,
  exchange: Exchange,
  others: readonly (readonly [what: string, answer: Exchange])[],
): Promise<void> {
  const values = valuesIn(row);
  const status = exchange.answer?.status ?? 0;
  // Section 5: every request to such a route gets it, whatever else is wrong with the request.
  if (row.route === COLD && status === 401) return;
  if (values.method === "HEAD" ? status < 400 : !isRefused(exchange, {}))
    throw new Failure("a refusal", describe(exchange), [exchange]);
  const own = await alone(trial, { [first]: values[first] });
  const actual = told(exchange, exchange);
  for (const [what, answer] of others) {
    const other = told(exchange, answer);
    // A target may answer two checks alike: compared only where the answer to this check alone is known.
    if (own.answer === undefined || other === told(exchange, own) || actual !== other) continue;
    throw new Failure(`the answer to its ${first}`, `${describe(exchange)}, the answer to ${what}`, [exchange]);
  }
}

/** The answers to what comes behind the first of these checks, each alone. */
async function laterAnswers(trial: Trial, row: RequestRow, [first, ...later]: readonly Check[]) {
  const values = valuesIn(row);
  // Method and content type are one check, without an order between them.
  const parts = later.filter((part) => !(first === "method" && part === "content type"));
  const answers = [...parts, "action" as const].map(
    async (part) => [`its ${part}`, await alone(trial, { [part]: values[part] })] as const,
  );
  return Promise.all(answers);
}

/** Of rows whose request was refused, the first whose flow is there all the same. */
export async function lookForEffects<R extends RequestRow>(
  trial: Trial,
  rows: readonly R[],
): Promise<{ readonly row: R; readonly failure: Failure } | undefined> {
  const sessions = new Set(rows.map((row) => routeOf(trial, row).sessionKey));
  for (const session of sessions) {
    const some = rows.filter((row) => routeOf(trial, row).sessionKey === session);
    const served = some.find(({ route }) => route !== COLD);
    const listed = served && (await trial.post({ action: "list_flows" }, routeOf(trial, served)));
    if (listed === undefined || !isAccepted(listed)) continue;
    const text = resultText(listed);
    for (const row of some) {
      const { goal, exchange } = played.get(row) ?? {};
      if (goal === undefined || exchange === undefined || isAccepted(exchange) || !text.includes(goal)) continue;
      const failure = new Failure("nothing done by a refused request", "its flow is there", [exchange, listed]);
      return { row, failure };
    }
  }
  return undefined;
}
