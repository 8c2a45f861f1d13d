/** The doctor's checks, in order. Each gives remarks, with the line of the target file that fixes the problem. */
import { createFlow } from "../interface/bodies.ts";
import { validRequest, withHeader, withProductHeader, type Request } from "../interface/request.ts";
import { flowsOf, insteadOfFlow } from "../harness/checks.ts";
import { capabilities, type Capability } from "../harness/capability.ts";
import { cases } from "../catalogue.ts";
import { isLoopback } from "../http/endpoint.ts";
import { describe, envelopeOf, isAccepted, neutral, type Exchange } from "../http/exchange.ts";
import { resultOf } from "../harness/result.ts";
import type { Plan } from "../run/plan.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import type { Server } from "../targets/server.ts";
import { HOME_ADDRESS } from "../targets/lanes.ts";
import { lanes, standardRoutes } from "../targets/standard-routes.ts";
import { durationInWords } from "../foundation/duration.ts";
import { estimate } from "../run/estimate.ts";
import { canRestart, takesClock, wordsOf, type Target } from "../targets/target-file.ts";
import { firstNames } from "../report/facts.ts";
import { verdictOf } from "../report/verdict.ts";

/** `ok`: as it should be. `note`: worth knowing. `wrong`: the target cannot be judged like this. */
export interface Remark {
  readonly level: "ok" | "note" | "wrong";
  readonly text: string;
  /** The line to add to the target file. */
  readonly write?: string;
}

export interface Visit extends Pick<Server, "target" | "facts"> {
  readonly server: Server;
  readonly capabilities: ReadonlySet<Capability>;
  readonly plan: Plan;
  /** How many requests of the checks were not answered. */
  readonly silence: { unanswered: number };
  /** From the start command until the first questions about the target were answered, ms. */
  readonly startMs: number;
}

/** On the running target, by the name that is printed beside each remark. */
export const checksOfTarget: Readonly<
  Record<string, (visit: Visit) => readonly Remark[] | Promise<readonly Remark[]>>
> = {
  start,
  routes: askEachRoute,
  flows: createFlowAndSpoil,
  secret: trySecrets,
  addresses,
  limits: meetForeignLimit,
  proxy: askForProxyHeaders,
  control,
  coverage,
  time: duration,
};

const ok = (text: string): Remark[] => [{ level: "ok", text }];
const note = (text: string, write?: string): Remark => ({ level: "note", text, ...(write && { write }) });
const wrong = (text: string, write?: string): Remark => ({ level: "wrong", text, ...(write && { write }) });

/** Checks that read the target file and run before the target is started. */
export function placeholders({ start: started, baseUrl }: Target): Remark[] {
  if (started === undefined) return ok(`a target that already runs on ${baseUrl ?? ""}`);
  const missing = ["config", "port"].filter((field) => !wordsOf(started).includes(`{${field}}`));
  if (missing.length === 0) return ok("the start command gets its configuration and port");
  return missing.map((field) => {
    const what = field === "config" ? "where its configuration is" : "which port to listen on";
    return note(`nothing tells the target ${what}`, `"start": { "command": [..., "--${field}", "{${field}}"] }`);
  });
}

function start({ target, server, startMs }: Visit): Remark[] {
  if (server.note !== undefined) {
    return [wrong(server.note, `"config": { "entryId": "<the plugin's key under plugins.entries>" }`)];
  }
  const took = `ready after ${(startMs / 1000).toFixed(1)} s on ${server.origin}`;
  const limit = target.start?.readyTimeoutMs ?? 0;
  if (target.start !== undefined && startMs > limit / 2) {
    const text = `${took}, more than half of what it may take`;
    return [note(text, `"start": { "readyTimeoutMs": ${limit * 2} }`)];
  }
  return ok(took);
}

/** So many checks of the target remain unanswered at most: each waits for as long as any request may take. */
const MOST_UNANSWERED = 3;

/** The target leaves requests unanswered: nothing more is asked of it. The message is for people. */
export class Unanswered extends Error {}

/** Sends a request. Throws `Unanswered` at the third one without an answer: each further one would wait as long. */
async function send({ server, silence }: Visit, request: Request): Promise<Exchange> {
  const exchange = await server.client.send(request, HOME_ADDRESS);
  if (exchange.answer === undefined) silence.unanswered += 1;
  if (silence.unanswered < MOST_UNANSWERED) return exchange;
  const last = `${request.method} ${neutral(request.path)}: ${describe(exchange)}`;
  throw new Unanswered(`${silence.unanswered} requests were not answered (${last}): the other checks are left out`);
}

const WIDTH = 6;

/** A valid request to each route, a few at a time: the connection queue of a small server is short. */
async function sendEach(visit: Visit, served: readonly ConfiguredRoute[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (let next = 0; next < served.length; next += WIDTH) {
    const requests = served.slice(next, next + WIDTH).map((route) => validRequest(route, visit.facts.cheapBody));
    exchanges.push(...(await Promise.all(requests.map((request) => send(visit, request)))));
  }
  return exchanges;
}

/** Routes that must answer: neither disabled nor without a resolvable secret on purpose. */
function servedRoutes({ server }: Visit): ConfiguredRoute[] {
  const served = standardRoutes.filter(({ enabled, secret: source, missing }) => {
    return enabled !== false && source !== "cold" && missing !== true;
  });
  return served.flatMap(({ id }) => server.configuration.routes.get(id) ?? []);
}

async function askEachRoute(visit: Visit): Promise<Remark[]> {
  const served = servedRoutes(visit);
  const exchanges = await sendEach(visit, served);
  const missing = served.filter((_, index) => typeof envelopeOf(exchanges[index] as Exchange)?.ok !== "boolean");
  if (missing.length === 0) return ok(`all ${served.length} routes of the standard configuration answer`);
  const first = exchanges[served.indexOf(missing[0] as ConfiguredRoute)] as Exchange;
  const paths = missing.map(({ path }) => path);
  const text = `no envelope from ${firstNames(paths, 3)} (${describe(first)})`;
  const all = missing.length === served.length;
  return [wrong(text, all ? `"config": { "entryId": "<the plugin's key under plugins.entries>" }` : undefined)];
}

/** Most cases begin with a flow, and all need a refusal: without either a run is incomplete at best. */
async function createFlowAndSpoil(visit: Visit): Promise<Remark[]> {
  const [route] = servedRoutes(visit);
  if (route === undefined) return [];
  const created = await send(visit, validRequest(route, createFlow("what a result holds")));
  const remarks: Remark[] = [];
  // A refusal is told by the check of the secret.
  if (isAccepted(created) && flowsOf(created).length === 0)
    remarks.push(wrong(`create_flow shows no object with flowId and integer revision: ${insteadOfFlow(created)}`));
  if (!visit.facts.refuses)
    remarks.push(wrong("no invalid request is refused (secret, method, content type, JSON): nothing would be proved"));
  return remarks.length > 0 ? remarks : ok("create_flow shows a flow, and an invalid request is refused");
}

async function trySecrets(visit: Visit): Promise<Remark[]> {
  const { target, server } = visit;
  const { routes: known } = server.configuration;
  const [byVariable, inline] = [known.get(lanes[0]?.route ?? ""), known.get(lanes[0]?.sibling ?? "")];
  if (byVariable === undefined || inline === undefined) return [];
  const right = validRequest(byVariable, createFlow("which secret header"));
  const accepts = async (request: typeof right) => isAccepted(await send(visit, request));
  const withProduct = (product: string) => accepts(withProductHeader(right, product, byVariable.secret));
  const bearer = await accepts(right);
  const isNamed = await withProduct(target.product);
  const header = `x-${target.product}-webhook-secret`;
  const remarks = [
    ...(bearer ? ok("Authorization: Bearer is accepted") : []),
    ...(isNamed ? ok(`${header} is accepted`) : await otherProduct(target, header, bearer, withProduct)),
  ];
  if (!bearer && !isNamed) {
    const plain = await accepts(validRequest(inline, createFlow("an inline secret")));
    const why = plain
      ? "a secret written into the configuration is accepted, a SecretRef of source env is not: does the target read the variable?"
      : `a valid request is not accepted (${describe(await send(visit, right))})`;
    remarks.push(wrong(why));
  }
  if (await accepts(withHeader(right, "authorization", "Bearer wrong")))
    remarks.push(note("a wrong secret is accepted too"));
  return remarks;
}

/** Under which other product's name the target takes the secret; nothing where it takes none at all. */
async function otherProduct(
  { name }: Target,
  header: string,
  bearer: boolean,
  withProduct: (product: string) => Promise<boolean>,
): Promise<Remark[]> {
  let product: string | undefined;
  for (const guess of new Set(["service", "openclaw", ...(name.toLowerCase().match(/[a-z][a-z0-9-]+/g) ?? [])]))
    if (product === undefined && (await withProduct(guess))) product = guess;
  if (!bearer && product === undefined) return [];
  return [note(`${header} is not accepted`, `"product": "${product ?? "<the word in x-<word>-webhook-secret>"}"`)];
}

function addresses({ facts, server }: Visit): Remark[] {
  if (facts.toldApart && !facts.inFlightToldApart)
    return [note("the in-flight limit treats all client addresses as one: each case gets routes of its own")];
  if (facts.toldApart) return ok("the target tells client addresses apart: cases run concurrently");
  const why = !isLoopback(new URL(server.origin).hostname)
    ? "a host that is not a loopback address is reached from one address only"
    : facts.addresses === undefined && facts.translated !== true
      ? "this system sends from one loopback address only"
      : "the target treats all client addresses as one (its rate limit ignores them, or there is a proxy in between)";
  return [note(`${why}: cases wait to stay below the limits, which takes longer`)];
}

const ROUNDS = 3;

/** Looks for a limit that all routes share. The interface has none, and the suite would run into it. */
async function meetForeignLimit(visit: Visit): Promise<Remark[]> {
  const served = servedRoutes(visit);
  const requests = Array.from({ length: ROUNDS }, () => served).flat();
  const exchanges = await sendEach(visit, requests);
  const refused = exchanges.filter(isLimited);
  const what = `${requests.length} requests, ${ROUNDS} for each route`;
  const lost = exchanges.filter(({ answer }) => answer === undefined).length;
  if (lost > 0) return [wrong(`of ${what}, ${lost} were not answered`)];
  if (refused.length === 0) return ok(`${what}: no limit other than those of the interface`);
  const came = `of ${what}, ${refused.length} were refused (${describe(refused[0] as Exchange)})`;
  const limited = limitedRoutes(exchanges, served.length);
  if (limited !== undefined) {
    const run = "webhooks-conformance run --case 'IN-FLIGHT-*' --case 'RATE-*'";
    return [note(`${came}, all on ${limited}, while other routes accept theirs. To judge the limits, run: ${run}`)];
  }
  return [
    wrong(
      `${came} by a limit that is not the interface's: lift it in the gateway's configuration`,
      `"config": { "merge": { "<the gateway's own limits>": "<off>" } }`,
    ),
  ];
}

const isLimited = ({ answer }: Exchange): boolean => answer?.status === 429 || answer?.status === 503;

/**
 * The routes of the refusals, if each of them goes on refusing while others are let in: the limit is that of a key. A
 * limit on all requests together refuses, once it is met, whatever the route.
 */
function limitedRoutes(exchanges: readonly Exchange[], routeCount: number): string | undefined {
  const first = exchanges.findIndex(isLimited);
  const paths = [...new Set(exchanges.filter(isLimited).map(({ request }) => request.path))];
  const steady = paths.every((path) => {
    const refusals = exchanges.filter(({ request }) => request.path === path).map(isLimited);
    return refusals.lastIndexOf(false) < refusals.indexOf(true);
  });
  // Those sent together with the first refusal may have been let in before it.
  const goesOn = exchanges.slice(first + WIDTH).some((exchange) => isAccepted(exchange));
  if (!steady || !goesOn || paths.length > routeCount / 2) return undefined;
  return paths.length === 1 ? `the route ${neutral(paths[0] ?? "")}` : `${paths.length} of ${routeCount} routes`;
}

const addedByProxies = /^(via|age|x-cache.*|x-served-by|x-envoy-.*|cf-ray|x-amz-cf-.*|forwarded|x-forwarded-.*)$/;
const namesOfProxies = /nginx|envoy|varnish|haproxy|caddy|traefik|cloudflare|squid|apache/i;

async function askForProxyHeaders(visit: Visit): Promise<Remark[]> {
  const [route] = servedRoutes(visit);
  if (route === undefined) return [];
  const { answer } = await send(visit, validRequest(route, visit.facts.cheapBody));
  const signs = [...(answer?.headers ?? [])].flatMap(([name, values]) => {
    const value = values.join(", ");
    const isSign = addedByProxies.test(name) || (name === "server" && namesOfProxies.test(value));
    return isSign ? [`${name}: ${neutral(value, 60)}`] : [];
  });
  if (signs.length === 0) return ok("no sign of a proxy in between");
  // What only names itself may be the gateway.
  const isNamed = signs.every((sign) => sign.startsWith("server: "));
  const what = isNamed ? "this is the gateway itself, or" : "there seems to be";
  const text = `${what} a proxy in between (${signs.join("; ")}), which would be judged too: name the gateway's own port`;
  return [note(text, visit.target.baseUrl && `"baseUrl": "http://127.0.0.1:<the gateway's own port>"`)];
}

function control({ target, server, facts }: Visit): Remark[] {
  if (server.control === undefined) {
    // The target has to be told the port that the kit chose.
    const start = wordsOf(target.start).includes("{controlPort}")
      ? ""
      : `, "start": { "command": [..., "--control-port", "{controlPort}"] }`;
    const fix = canRestart(target)
      ? `"control": "http://127.0.0.1:{controlPort}"${target.start === undefined ? "" : start}`
      : `"control": "http://127.0.0.1:<port>"`;
    return [note("no control port: optional, for what HTTP alone cannot show", fix)];
  }
  const offers = `the control port offers ${[...server.control.capabilities].join(", ") || "nothing"}`;
  if (takesClock(target)) return ok(`${offers}; real time and a driven clock are judged side by side`);
  if (!facts.driven) return ok(offers);
  return [
    note(`${offers}; time is simulated: a release needs both clocks`, `"start": { "command": [..., "{clock}"] }`),
  ];
}

const SHOWN = 6;

/** The clauses that a run cannot judge, and the line that accepts this. */
function coverage({ target, plan, capabilities: offered }: Visit): Remark[] {
  const results = cases.map((item) => {
    return plan.notApplicable.find(({ id }) => id === item.id) ?? resultOf(item, "pass");
  });
  const { notCovered } = target;
  const { uncovered } = verdictOf({ suiteSize: cases.length, results, notCovered, failOn: "gap" });
  if (uncovered.length === 0) return ok("every clause that must hold can be judged");
  const lines = uncovered.slice(0, SHOWN).map((id) => [id, "<why>"]);
  const more = uncovered.length > SHOWN ? ` (and ${uncovered.length - SHOWN} more)` : "";
  const needed = cases.filter(({ clauses }) => clauses.some((id) => uncovered.includes(id)));
  const missing = [...new Set(needed.flatMap(({ needs = [] }) => needs))].filter((need) => !offered.has(need));
  const want = missing.map((need) => capabilities[need]).join("; ") || "a case that applies to them";
  const text = `${uncovered.length} clauses could not be judged, for want of ${want}. A run would be incomplete (exit 4)`;
  return [note(text, `"notCovered": ${JSON.stringify(Object.fromEntries(lines))}${more}`)];
}

function duration({ target, server, facts, plan, startMs }: Visit): Remark[] {
  const whole = estimate(plan, { ...facts, restarts: canRestart(target), reloads: server.reloads, startMs });
  const floor = `${Math.ceil(whole.floorSeconds)} s of waits and starts`;
  const time = `about ${durationInWords(whole.ms)}`;
  return ok(`a whole run: ${time}: ${whole.cases} cases, ${floor}, and the time of at most ${whole.requests} requests`);
}
