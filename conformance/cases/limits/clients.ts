/** Sections 5 and 8: what a caller says of its own address neither opens a key of the limits nor lets anybody in. */
import { withHeader, withoutSecret, type Request } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { Failure } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell, type Visit } from "../../harness/cells.ts";
import { mustTakeTwin } from "../../harness/checks.ts";
import { cheap, fill, keyOf } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";

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

/** Fails where a request is not refused because of such headers; the failure names the header. */
async function mustRefuseClients(
  request: Request,
  what: string,
  send: (request: Request) => Promise<Exchange>,
  visit: (header: string, value: string) => void,
): Promise<void> {
  for (const [form, value] of Object.entries(clientValues)) {
    const together = await send(clientHeaders.reduce((put, name) => withHeader(put, name, value), request));
    if (!isRefused(together)) {
      for (const name of clientHeaders) {
        const exchange = await send(withHeader(request, name, value));
        if (!isRefused(exchange)) throw new Failure(`${what} with ${form} in ${name}`, describe(exchange), [exchange]);
      }
      throw new Failure(`${what} with ${form} in all headers that name a client`, describe(together), [together]);
    }
    for (const name of clientHeaders) visit(name, form);
  }
  // By itself: what is no name of a host may be refused for that.
  const hosted = await send(withHeader(request, "host", "other.example"));
  if (!isRefused(hosted)) throw new Failure(`${what} with another Host`, describe(hosted), [hosted]);
}

const reading =
  "The client IP is the connection's: nobody has told the gateway to trust a proxy. One request has all headers; only " +
  "where it is not refused each is tried alone.";

const tableOf = (trial: Trial): Visit => everyCell(trial, clientHeaders, Object.keys(clientValues));
const isRefused = (exchange: Exchange): boolean => exchange.answer !== undefined && !isAccepted(exchange);

export const clientCases: readonly Case[] = [
  {
    id: "AUTH-CLIENT-NAMED",
    title: "Headers that name a client let nobody in without the secret",
    clauses: ["AUTH-REQUIRED"],
    requests: 60,
    reading,
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const bare = withoutSecret(trial.right());
      await mustRefuseClients(bare, "a refusal without a secret", (it) => trial.send(it), tableOf(trial));
    },
  },
  {
    id: "RATE-CLIENT-NAMED",
    title: "Headers that name a client, in any notation, do not open another budget",
    clauses: ["RATE-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 2 * REQUESTS_PER_WINDOW,
    reading,
    async run(trial) {
      const { key } = await usedUp(trial);
      const send = async (request: Request) => {
        const exchange = await trial.send(request, key.from);
        if (isRefused(exchange) || isRefused(await trial.send(cheap(trial, key), key.from))) return exchange;
        // A window aligned to the clock has ended.
        await usedUp(trial, 1);
        return trial.send(request, key.from);
      };
      await mustRefuseClients(cheap(trial, key), "no other budget", send, tableOf(trial));
    },
  },
  {
    id: "IN-FLIGHT-CLIENT-NAMED",
    title: "Headers that name a client, in any notation, do not open more slots",
    clauses: ["IN-FLIGHT-KEY-ADDRESS"],
    meetsLimits: true,
    requests: 100,
    reading,
    async run(trial) {
      const key = keyOf(trial);
      const { held } = await fill(trial, key);
      const send = (request: Request) => trial.send(request, key.from);
      await mustRefuseClients(cheap(trial, key), "no other slots", send, tableOf(trial));
      await held.finish();
    },
  },
];
