/** What a run finds out about a target before the first case. */
import { createFlow } from "../../fixtures/bodies.ts";
import {
  validRequest,
  withBody,
  withHeader,
  withMethod,
  type ActionBody,
  type Request,
} from "../../fixtures/request.ts";
import type { StandardFacts } from "../harness/facts.ts";
import { isLoopback } from "../http/endpoint.ts";
import { isAccepted } from "../http/exchange.ts";
import { Upload } from "../http/upload.ts";
import type { Profile } from "../interface/gaps.ts";
import { IN_FLIGHT } from "../interface/limits.ts";
import type { Instance } from "../targets/instance.ts";
import { HOME_ADDRESS } from "../targets/lanes.ts";
import { specialRoutes } from "../targets/standard-routes.ts";

/** The longest wait for the answer to a plain request, ms. */
export const PROBE_TIMEOUT_MS = 5000;

/** The route that probes are sent to. */
export function probeOf(instance: Instance) {
  return instance.configuration.routes.get(specialRoutes.probe.id) ?? { path: "/", secret: "" };
}

/** Whether the target accepts a valid request and refuses at least one invalid one: else its answers prove nothing. */
export async function standardFacts(instance: Instance): Promise<StandardFacts> {
  const valid = validRequest(probeOf(instance), createFlow("probe"));
  const send = (request: Request) => instance.client.send(request, HOME_ADDRESS);
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
 * Cases also send it on routes without a flow, where `find_latest_flow` might be refused.
 */
export async function cheapestBody(instance: Instance, profile: Profile): Promise<ActionBody> {
  const reads: ActionBody[] = [
    { action: "get_flow", [profile.fields.getFlowId]: "no-such-flow" },
    { action: "list_flows" },
  ];
  for (const body of reads) {
    if (isAccepted(await instance.client.send(validRequest(probeOf(instance), body), HOME_ADDRESS))) return body;
  }
  return createFlow();
}

/** Whether the kit can send from several client addresses, and whether the target has a limit for each of them. */
type AddressSupport = "no addresses" | "not told apart" | "told apart";

/**
 * Holds eight requests from one address. Addresses are told apart if a ninth from there is refused and one from another
 * address is accepted. If the ninth is accepted, the limit is broken, but the target may still tell addresses apart.
 */
export async function addressSupport(instance: Instance, accepts: boolean): Promise<AddressSupport> {
  if (!isLoopback(new URL(instance.origin).hostname)) return "no addresses";
  // On a busy machine an answer may be lost, and a run without addresses would judge less.
  for (const first of ["127.0.1.1", "127.0.1.3", "127.0.1.5"]) {
    const support = await supportFrom(instance, first, accepts);
    if (support !== "no addresses") return support;
  }
  return "no addresses";
}

async function supportFrom(instance: Instance, first: string, accepts: boolean): Promise<AddressSupport> {
  const second = "127.0.1.2";
  const request = validRequest(probeOf(instance), createFlow("probe of addresses"));
  const held: Upload[] = [];
  try {
    for (let index = 0; index < IN_FLIGHT; index += 1) {
      held.push(await Upload.open(instance.origin, request, { from: first, timeoutMs: PROBE_TIMEOUT_MS }));
    }
    const ninth = await instance.client.send(request, first);
    if (ninth.answer === undefined) return "no addresses";
    if (isAccepted(ninth)) return "told apart";
    const other = await instance.client.send(request, second);
    if (other.answer === undefined) return "no addresses";
    if (isAccepted(other)) return "told apart";
    // A target that refuses every request shows nothing about addresses.
    return accepts ? "not told apart" : "told apart";
  } finally {
    for (const upload of held) upload.abort();
  }
}
