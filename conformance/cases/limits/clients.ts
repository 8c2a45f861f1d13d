/** Sections 5 and 8: what a caller says of its own address neither opens a key of the limits nor lets anybody in. */
import { withHeader, withoutSecret, type Request } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { Failure, failureIn } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";
import { cheap } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { mustBeLimited, states } from "../../oracle/limited-row.ts";

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

/** Addresses are reserved for documentation (RFC 5737, RFC 3849), but for those that a target may trust. */
const clientValues: Readonly<Record<string, string>> = {
  "an address": "203.0.113.21",
  "an address with a port": "203.0.113.22:4711",
  "a list that begins with another address": "203.0.113.23, 127.0.0.1",
  "a list that ends with another address": "127.0.0.1, 203.0.113.24",
  "an IPv6 address": "2001:db8::25",
  "the notation of Forwarded": 'for="[2001:db8::26]:4711";proto=https;by=203.0.113.26',
  "the target's own host": "127.0.0.1",
  "the target's own host by name": "localhost",
  "no address": "unknown",
};

type Change = (request: Request) => Request;

interface Guarded extends Omit<Case, "run" | "reading"> {
  /** What a failure says that is expected. */
  readonly what: string;
  /** Fails unless the request is refused, changed in this way. */
  mustRefuse(trial: Trial, change: Change): Promise<void>;
}

const limited =
  (state: string) =>
  (trial: Trial, change: Change): Promise<void> =>
    mustBeLimited(trial, state, (key) => change(cheap(trial, key)));

const guarded: readonly Guarded[] = [
  {
    id: "AUTH-CLIENT-NAMED",
    title: "Headers that name a client let nobody in without the secret",
    clauses: ["AUTH-REQUIRED"],
    requests: 60,
    what: "a refusal without a secret",
    async mustRefuse(trial, change) {
      const exchange = await trial.send(change(withoutSecret(trial.right())));
      check(exchange.answer !== undefined && !isAccepted(exchange), "a refusal", describe(exchange), exchange);
    },
  },
  {
    id: "RATE-CLIENT-NAMED",
    title: "Headers that name a client, in any notation, do not open another budget",
    clauses: ["RATE-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 2 * REQUESTS_PER_WINDOW,
    what: "no other budget",
    mustRefuse: limited(states[1]),
  },
  {
    id: "IN-FLIGHT-CLIENT-NAMED",
    title: "Headers that name a client, in any notation, do not open more slots",
    clauses: ["IN-FLIGHT-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 100,
    what: "no other slots",
    mustRefuse: limited(states[2]),
  },
];

const told = (what: string, how: string, { actual, exchanges }: Failure): Failure =>
  new Failure(`${what} with ${how}`, actual, exchanges);

export const clientCases: readonly Case[] = guarded.map(({ what, mustRefuse, ...about }) => ({
  ...about,
  reading:
    "The client IP is the connection's: nobody has told the gateway to trust a proxy. One request has all headers; only " +
    "where it is not refused each is tried alone.",
  async run(trial) {
    const failureWith = (change: Change) => mustRefuse(trial, change).then(() => undefined, failureIn);
    const visit = everyCell(trial, clientHeaders, Object.keys(clientValues));
    mustTakeTwin(await trial.send(trial.right()));
    for (const [form, value] of Object.entries(clientValues)) {
      const put = (request: Request, name: string) => withHeader(request, name, value);
      const together = await failureWith((request) => clientHeaders.reduce(put, request));
      for (const name of together === undefined ? [] : clientHeaders) {
        const alone = await failureWith((request) => put(request, name));
        if (alone !== undefined) throw told(what, `${form} in ${name}`, alone);
      }
      if (together !== undefined) throw told(what, `${form} in all headers that name a client`, together);
      for (const name of clientHeaders) visit(name, form);
    }
    // By itself: what is no name of a host may be refused for that.
    const hosted = await failureWith((request) => withHeader(request, "host", "other.example"));
    if (hosted !== undefined) throw told(what, "another Host", hosted);
  },
}));
