/** What a run finds out about a target before the first case. */
import { setTimeout as delay } from "node:timers/promises";
import { createFlow } from "../interface/bodies.ts";
import { validRequest, withBody, withHeader, withMethod, type ActionBody, type Request } from "../interface/request.ts";
import type { StandardFacts } from "../targets/facts.ts";
import { isLoopback } from "../http/endpoint.ts";
import { isAccepted } from "../http/exchange.ts";
import { Upload } from "../http/upload.ts";
import type { Profile } from "../interface/gaps.ts";
import { IN_FLIGHT, REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import type { Server } from "../targets/server.ts";
import type { Target } from "../targets/target-file.ts";
import { Addresses, HOME_ADDRESS } from "../targets/lanes.ts";
import { specialRoutes } from "../targets/standard-routes.ts";

export const PROBE_TIMEOUT_MS = 5000;

export function probeOf(server: Server) {
  return server.configuration.routes.get(specialRoutes.probe.id) ?? { path: "/", secret: "" };
}

/** What the target shows with the standard configuration. */
export async function learnFacts(server: Server, cheapBody: ActionBody): Promise<StandardFacts> {
  const { accepts, refuses } = await tryAcceptance(server);
  // A cheap read: creating a flow may be what fails.
  const request = validRequest(probeOf(server), cheapBody);
  const stalls = await isStalled(server, request);
  const inFlight = stalls ? "no limit" : await probeAddresses(server, request);
  const reachable = inFlight !== "no addresses" && server.target.clientAddresses === undefined;
  const { apart, requestMs } = await spendBudget(server, request, reachable);
  // A target that refuses every request does not show whether it tells addresses apart.
  const seen = inFlight === "not told apart" && !accepts ? undefined : inFlight;
  const translated = isTranslated(server.target, seen, reachable && apart === false, apart);
  return {
    accepts,
    refuses,
    requestMs,
    ...toldApartBy(reachable && !translated, seen, apart),
    // A proxy passes a request on when it has the whole of it.
    stalls: stalls || (translated && inFlight === "no limit"),
    ...(translated && { translated }),
  };
}

/** What the kit has not started may lie behind a proxy, unless one limit has told addresses apart. */
function isTranslated(
  { clientAddresses, baseUrl }: Target,
  inFlight: Support | undefined,
  isOne: boolean,
  apart?: boolean,
): boolean {
  if (clientAddresses !== undefined) return true;
  const isShared = (inFlight === "not told apart" && apart !== true) || (inFlight === "no limit" && isOne);
  return baseUrl !== undefined && isShared;
}

/** Each limit's key is learned by itself: one may lack the address. `apart`: of the rate limit; where its budget could not be spent in time, the other limit is the best guess. */
function toldApartBy(reachable: boolean, inFlight: Support | undefined, apart: boolean | undefined) {
  const inFlightToldApart = reachable && inFlight !== "not told apart";
  return {
    addresses: reachable ? new Addresses() : undefined,
    toldApart: reachable && (apart ?? inFlightToldApart),
    isOneAddress: reachable && apart === false,
    inFlightToldApart,
  };
}

/** Whether the target accepts a valid request and refuses at least one invalid one: else its answers prove nothing. */
async function tryAcceptance(server: Server): Promise<Pick<StandardFacts, "accepts" | "refuses">> {
  const valid = validRequest(probeOf(server), createFlow("probe"));
  const send = (request: Request) => server.client.send(request, HOME_ADDRESS);
  const invalid = [
    withHeader(valid, "authorization", "Bearer wrong"),
    withMethod(valid, "PUT"),
    withHeader(valid, "content-type", "text/plain"),
    withBody(valid, "{"),
  ];
  const accepts = isAccepted(await send(valid));
  for (const request of invalid) {
    if (!isAccepted(await send(request))) return { accepts, refuses: true };
  }
  return { accepts, refuses: false };
}

/**
 * The cheapest accepted request: one that stores nothing, else the creation of a flow, which the interface itself shows.
 * Cases also send it on routes without a flow, such as the one that is asked here.
 */
export async function findCheapestBody(server: Server, profile: Profile): Promise<ActionBody> {
  const route = server.configuration.routes.get(specialRoutes.quiet.id) ?? probeOf(server);
  const reads: ActionBody[] = [
    { action: "get_flow", [profile.fields.getFlowId]: "no-such-flow" },
    { action: "find_latest_flow" },
    // Of a session with many flows that is a long answer.
    { action: "list_flows" },
  ];
  for (const body of reads) {
    const exchange = await server.client.send(validRequest(route, body), HOME_ADDRESS);
    if (isAccepted(exchange)) return body;
    // A target that kept silent once would make each further request wait as long.
    if (exchange.answer === undefined) break;
  }
  return createFlow();
}

/** No request is answered while the body of another one is owed; tried again, as a machine may stall, too. */
async function isStalled(server: Server, request: Request): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) if (!(await waitsForBody(server, request))) return false;
  return true;
}

/** The first may be answered before the target has read the head of the one that is held. */
const BESIDE_HELD = 4;

/** Holds one request and sends others: true where one of them is answered only once the first is over. */
async function waitsForBody(server: Server, request: Request): Promise<boolean> {
  const held = await Upload.open(server.origin, request, { from: HOME_ADDRESS, timeoutMs: 2 * PROBE_TIMEOUT_MS });
  await held.write(request.body.byteLength - 1);
  for (let sent = 0; sent < BESIDE_HELD; sent += 1) {
    const another = server.client.send(request, HOME_ADDRESS);
    const waited = new Promise<undefined>((resolve) => void setTimeout(resolve, PROBE_TIMEOUT_MS, undefined).unref());
    if ((await Promise.race([another, waited])) !== undefined) continue;
    held.abort();
    if ((await another).answer === undefined) return false;
    // With nothing held a target answers soon; a machine that stalls may not.
    const since = performance.now();
    await server.client.send(request, HOME_ADDRESS);
    return performance.now() - since < PROBE_TIMEOUT_MS / 4;
  }
  held.abort();
  return false;
}

/** Of one limit: whether it has a budget of its own for each client address; or no address but one is answered, or nothing is limited. */
type Support = "no addresses" | "no limit" | "not told apart" | "told apart";

/**
 * Holds eight requests from one address. Addresses are told apart if a ninth from there is refused and one from another
 * address is accepted. If the ninth is accepted, the limit is broken, but the target may still tell addresses apart.
 */
async function probeAddresses(server: Server, request: Request): Promise<Support> {
  if (!isLoopback(new URL(server.origin).hostname)) return "no addresses";
  // On a busy machine an answer may be lost, and a run without addresses would judge less.
  for (const first of ["127.0.1.1", "127.0.1.3", "127.0.1.5"]) {
    const support = await probeAddressesFrom(server, request, first);
    if (support !== "no addresses") return support;
  }
  return "no addresses";
}

/** How often a ninth request is sent, and how long after the one before, ms. */
const [NINTHS, NINTH_MS] = [10, 50];

async function probeAddressesFrom(server: Server, request: Request, first: string): Promise<Support> {
  const second = "127.0.1.2";
  const held: Upload[] = [];
  try {
    for (let index = 0; index < IN_FLIGHT; index += 1) {
      held.push(await Upload.open(server.origin, request, { from: first, timeoutMs: PROBE_TIMEOUT_MS }));
    }
    let ninth = await server.client.send(request, first);
    // Through a proxy it may overtake the eight.
    for (let again = 1; again < NINTHS && isAccepted(ninth); again += 1) {
      await delay(NINTH_MS);
      ninth = await server.client.send(request, first);
    }
    if (ninth.answer === undefined) return "no addresses";
    if (isAccepted(ninth)) return "no limit";
    const elsewhere = await server.client.send(request, second);
    if (elsewhere.answer === undefined) return "no addresses";
    return isAccepted(elsewhere) ? "told apart" : "not told apart";
  } finally {
    for (const upload of held) upload.abort();
  }
}

/** Spends a budget; no case sends from there. */
const SPENDER = "127.0.1.7";
/** Two, since a target that compares only a part of the address may take one of them for the spender. */
const OTHERS = ["127.9.2.8", "127.8.3.9"];
/** Fewer than may be in flight. */
const AT_A_TIME = 4;
/** Requests that show the pace where no budget is to be spent. */
const FEW = 20;
/** The budget of a slow target takes too long to spend; that of a quick one on a busy machine need not, ms. */
const SPENDING_MS = 10_000;

/**
 * Spends the budget of one address that the kit can send from, and asks from others: not told apart if these are refused
 * as well. `apart` is undefined where the budget was not spent in time, or no request was accepted.
 */
async function spendBudget(server: Server, request: Request, reachable: boolean) {
  const [from, most] = reachable ? [SPENDER, REQUESTS_PER_WINDOW + 1] : [HOME_ADDRESS, FEW];
  const started = performance.now();
  let [sent, accepted, early, refused] = [0, 0, 0, false];
  const isOver = () => refused || sent >= most || performance.now() - started > SPENDING_MS;
  const worker = async () => {
    while (!isOver()) {
      sent += 1;
      if (isAccepted(await server.client.send(request, from))) accepted += 1;
      else if (accepted < REQUESTS_PER_WINDOW / 2 && early < NINTHS) {
        // Where addresses are one, requests that were broken off before may hold the slots for a moment.
        early += 1;
        await delay(NINTH_MS);
      } else refused = true;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  const requestMs = (performance.now() - started) / Math.max(1, sent);
  if (accepted === 0 || (!refused && sent < most)) return { apart: undefined, requestMs };
  // Without a refusal there is no limit that addresses could share.
  let apart = !refused;
  for (const address of OTHERS) apart ||= isAccepted(await server.client.send(request, address));
  return { apart, requestMs };
}
