/** Sections 5 and 8: each limit counts by path and client address, whatever a caller says of its own address. */
import { describe, isAccepted } from "../../http/exchange.ts";
import { Failure, failureIn } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustNotAccept, mustTakeTwin } from "../../harness/checks.ts";
import { cheap, keyOf, mustTakeSideBySide, type Key } from "../../harness/limit-keys.ts";
import { createFlow } from "../../interface/bodies.ts";
import { demands, engage } from "../../harness/refusals.ts";
import { HOME_ADDRESS } from "../../targets/lanes.ts";
import type { Trial } from "../../harness/trial.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { withHeader, withoutSecret, type Request } from "../../interface/request.ts";
import { asSent, namedValues } from "../../foundation/value-name.ts";
import { namesOf } from "../../oracle/flow-factors.ts";
import { mustBeLimited, keyStates } from "../../oracle/limited-row.ts";
import { rowCase } from "../../oracle/row-case.ts";

type Limit = "RATE" | "IN-FLIGHT";

/** Another route of the same session: of a lane the one beside it. */
const routeBeside = ({ server: { configuration } }: Trial, { id, sessionKey }: Key["route"]) =>
  [...configuration.routes.values()].find((other) => other.sessionKey === sessionKey && other.id !== id);

/** What makes another key. */
const parts = {
  PATH: {
    what: "path",
    // The session may be another one or the same.
    others: (trial: Trial, { route }: Key) =>
      [trial.stranger, routeBeside(trial, route)].flatMap((other) => (other === undefined ? [] : [{ route: other }])),
    needs: [],
  },
  ADDRESS: {
    what: "client address",
    // The second ends as the first one's does, and the third in its last two bytes.
    others: (trial: Trial, { from }: Key) => [
      { from: trial.freshAddress() },
      { from: from.replace(/^127\.\d+\.\d+/, "127.250.250") },
      { from: from.replace(/^127\.\d+/, "127.249") },
    ],
    needs: ["addresses"],
  },
} as const;
type Part = keyof typeof parts;

const TRANSLATION =
  "Where something between the kit and the target sends all requests from one address (docker -p, a port forward, a " +
  "proxy) the target cannot tell clients apart: then the target file says so (clientAddresses: translated).";

function keyCase(limit: Limit, part: Part): Case {
  const { what, others, needs } = parts[part];
  return {
    id: `${limit}-KEY-${part}`,
    title: `${limit === "RATE" ? "A used-up rate limit leaves" : "Eight requests in flight leave"} any other ${what} unaffected`,
    clauses: [`${limit}-KEY-${part}`],
    needs,
    requests: 0,
    ...(part === "ADDRESS" && { reading: TRANSLATION }),
    ...demands[limit],
    async run(trial) {
      const engaged = await engage(trial, limit);
      const key = engaged?.key ?? keyOf(trial);
      for (const { route, from } of others(trial, key).map((other) => ({ ...key, ...other }))) {
        const exchange = await trial.send(cheap(trial, { route, from }), from);
        const isOfLimit = engaged === undefined || describe(exchange) === describe(engaged.refusal);
        if (limit === "IN-FLIGHT" && !isAccepted(exchange) && !isOfLimit) await mustTakeSideBySide(trial);
        mustAccept(exchange, `a request of another ${what} accepted`);
      }
    },
  };
}

export const limitKeyCases: readonly Case[] = (["RATE", "IN-FLIGHT"] as const).flatMap((limit) =>
  (["PATH", "ADDRESS"] as const).map((part) => keyCase(limit, part)),
);

/** All but Host name a client, its proxy or its browser. */
const clientHeaders: readonly string[] = [
  "x-forwarded-for x-real-ip forwarded cf-connecting-ip true-client-ip x-client-ip x-cluster-client-ip",
  "fastly-client-ip x-originating-ip user-agent accept-language cookie x-request-id",
  "x-forwarded forwarded-for x-original-forwarded-for x-forwarded-client-ip client-ip x-client x-remote-ip",
  "x-remote-addr remote-addr x-envoy-external-address x-appengine-user-ip fly-client-ip x-azure-clientip",
  "x-azure-socketip x-nf-client-connection-ip wl-proxy-client-ip proxy-client-ip x-proxyuser-ip",
  "x-vercel-forwarded-for x-sucuri-clientip cf-pseudo-ipv4 cf-connecting-ipv6 x-forwarded-host x-forwarded-port",
  "x-forwarded-proto x-forwarded-server x-forwarded-prefix x-host via x-tenant-id x-session-id x-user from",
].flatMap((line) => line.split(" "));

/** By itself: what is no name of a host may be refused for that. */
const HOST = "another Host";

/** Addresses are reserved for documentation (RFC 5737, RFC 3849), but for those that a target may trust. */
const clientValues = namedValues(
  {
    "an address": "203.0.113.21",
    "an address with a port": "203.0.113.22:4711",
    "a list that begins with another address": "203.0.113.23, 127.0.0.1",
    "a list that ends with another address": "127.0.0.1, 203.0.113.24",
    "an IPv6 address": "2001:db8::25",
    "the notation of Forwarded": 'for="[2001:db8::26]:4711";proto=https;by=203.0.113.26',
    "the target's own host": "127.0.0.1",
    "the target's own host by name": "localhost",
    "no address": "unknown",
  },
  asSent,
);

type Change = (request: Request) => Request;

/** `mustRefuse`: fails unless the request is refused for this reason, changed in this way. */
const clientNamed = (
  about: Omit<Case, "run" | "reading" | "factors"> & { readonly client?: "one" },
  reasons: readonly [string, ...string[]],
  mustRefuse: (trial: Trial, reason: string, change: Change) => Promise<void>,
): Case =>
  rowCase({
    ...about,
    reading:
      "The client IP is the connection's: nobody has told the gateway to trust a proxy. One request has all headers; only " +
      "where it is not refused each is tried alone.",
    table: { factors: { value: [...namesOf(clientValues), HOST], reason: reasons } },
    async valuesOf(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      return {};
    },
    async play(trial, { value, reason }) {
      const failureWith = (change: Change) => mustRefuse(trial, reason, change).then(() => undefined, failureIn);
      const told = ({ finding: { expected, actual, exchanges } }: Failure, where: string) =>
        new Failure(`${expected} with ${value}${where}`, actual, exchanges);
      if (value === HOST) {
        const hosted = await failureWith((request) => withHeader(request, "host", "other.example"));
        if (hosted !== undefined) throw told(hosted, "");
        return;
      }
      const put = (request: Request, name: string) => withHeader(request, name, clientValues[value]);
      const together = await failureWith((request) => clientHeaders.reduce(put, request));
      if (together === undefined) return;
      for (const name of clientHeaders) {
        const alone = await failureWith((request) => put(request, name));
        if (alone !== undefined) throw told(alone, ` in ${name}`);
      }
      throw told(together, " in all headers that name a client");
    },
  });

export const clientCases: readonly Case[] = [
  clientNamed(
    {
      id: "AUTH-CLIENT-NAMED",
      title: "Headers that name a client, or a connection from 127.0.0.1, do not replace the secret",
      clauses: ["AUTH-REQUIRED"],
      requests: 60,
    },
    ["no secret"],
    async (trial, _reason, change) => {
      // The budget of 127.0.0.1 at the case's own route may be used up by a case about limits.
      const home = { route: trial.stranger, from: HOME_ADDRESS };
      for (const { route, from } of [keyOf(trial), ...(trial.toldApart ? [home] : [])]) {
        const exchange = await trial.send(change(withoutSecret(trial.right(createFlow(), route))), from);
        mustNotAccept(exchange, "a refusal without a secret");
      }
    },
  ),
  clientNamed(
    {
      id: "LIMITS-CLIENT-NAMED",
      title: "Headers that name a client do not give another budget or more slots",
      clauses: ["RATE-KEY-ADDRESS", "IN-FLIGHT-KEY-ADDRESS", "RATE-120", "IN-FLIGHT-8"],
      meetsLimits: true,
      requests: 2 * REQUESTS_PER_WINDOW,
      client: "one",
    },
    [keyStates[1], keyStates[2]],
    (trial, reason, change) => mustBeLimited(trial, reason, (key) => change(cheap(trial, key))),
  ),
];
