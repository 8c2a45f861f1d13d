/** Sections 5 and 8: what a caller says of its own address neither opens a key of the limits nor lets anybody in. */
import { withoutSecret } from "../../interface/request.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell, type Visit } from "../../harness/cells.ts";
import { twin } from "../../harness/checks.ts";
import { clientHeaders, clientValues, mustRefuseClients } from "../../harness/client-headers.ts";
import { cheap, fill, keyOf } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";

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
      twin(await trial.send(trial.right()));
      const bare = withoutSecret(trial.right());
      await mustRefuseClients(bare, "a refusal without a secret", (it) => trial.send(it), isRefused, tableOf(trial));
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
      const send = async (request: ReturnType<typeof cheap>) => {
        const exchange = await trial.send(request, key.from);
        if (isRefused(exchange) || isRefused(await trial.send(cheap(trial, key), key.from))) return exchange;
        // A window aligned to the clock has ended.
        await usedUp(trial, 1);
        return trial.send(request, key.from);
      };
      await mustRefuseClients(cheap(trial, key), "no other budget", send, isRefused, tableOf(trial));
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
      const send = (request: ReturnType<typeof cheap>) => trial.send(request, key.from);
      await mustRefuseClients(cheap(trial, key), "no other slots", send, isRefused, tableOf(trial));
      await held.finish();
    },
  },
];
