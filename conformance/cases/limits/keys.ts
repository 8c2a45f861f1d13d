/** Section 8: each limit counts by path and client address. */
import { isAccepted } from "../../http/exchange.ts";
import { Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept } from "../../harness/checks.ts";
import { cheap, firstRefusal, keyOf, refusedNext, spend, type Key } from "../../harness/limit-keys.ts";
import { demands, engage } from "../../harness/refusals.ts";
import type { Trial } from "../../harness/trial.ts";
import { REQUESTS_PER_WINDOW } from "../../interface/limits.ts";

const limits = { RATE: "A used-up budget", "IN-FLIGHT": "Eight requests in flight" } as const;
type Limit = keyof typeof limits;

/** What makes another key. */
const parts = {
  PATH: { what: "path", other: (trial: Trial) => ({ route: trial.stranger }), needs: [] },
  ADDRESS: {
    what: "client address",
    other: (trial: Trial) => ({ from: trial.freshAddress() }),
    needs: ["addresses"],
  },
} as const;
type Part = keyof typeof parts;

/** A key without budget where addresses share one: other cases have spent some of it. */
async function spentTogether(trial: Trial): Promise<{ key: Key }> {
  const key = keyOf(trial);
  const first = firstRefusal(await spend(trial, key, REQUESTS_PER_WINDOW)) ?? (await refusedNext(trial, key));
  const again = await trial.send(cheap(trial, key), key.from);
  if (again.answer === undefined || isAccepted(again))
    throw new Unreached("the refusal of an address did not last, so nothing can be seen of it", [first, again]);
  return { key };
}

function keyCase(limit: Limit, part: Part): Case {
  const { what, other, needs } = parts[part];
  return {
    id: `${limit}-KEY-${part}`,
    title: `${limits[limit]} of one ${what} take nothing from another ${what}`,
    clauses: [`${limit}-KEY-${part}`],
    needs,
    requests: 0,
    ...demands[limit],
    async run(trial) {
      const isShared = limit === "RATE" && part === "ADDRESS" && !trial.toldApart;
      const engaged = isShared ? await spentTogether(trial) : await engage(trial, limit);
      const key = { ...(engaged?.key ?? keyOf(trial)), ...other(trial) };
      mustAccept(await trial.send(cheap(trial, key), key.from), `a request of another ${what} accepted`);
    },
  };
}

export const limitKeyCases: readonly Case[] = [
  keyCase("RATE", "PATH"),
  keyCase("RATE", "ADDRESS"),
  keyCase("IN-FLIGHT", "PATH"),
  keyCase("IN-FLIGHT", "ADDRESS"),
];
