/** Whether a connection or a client carries the authentication: asked where a request was let in, or kept out, and should not be. */
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import type { Finding } from "./finding.ts";
import type { Trial } from "./trial.ts";

const isKeptOut = ({ answer }: Exchange): boolean => answer?.status === 401;

interface Place {
  readonly where: string;
  /** What the request before was let in, or kept out, for. */
  readonly what: string;
  /** The client address; undefined where the target tells none apart. */
  from(trial: Trial, shown: Exchange): string | undefined;
}

const places: readonly Place[] = [
  { where: "on a new connection", what: "a connection", from: (_trial, { from }) => from },
  {
    where: "from another address",
    what: "a client",
    from: (trial) => (trial.toldApart ? trial.freshAddress() : undefined),
  },
];

/** Sends the request again elsewhere and as before: the finding says so where it is answered otherwise elsewhere alone. */
export async function askElsewhere(trial: Trial, finding: Finding): Promise<Finding> {
  const { expected, actual, exchanges: [shown] = [] } = finding;
  if (shown === undefined) return finding;
  const isIn = isAccepted(shown);
  if (!isIn && !isKeptOut(shown)) return finding;
  const { request } = shown;
  for (const { where, what, from: addressOf } of places) {
    const from = addressOf(trial, shown);
    if (from === undefined) continue;
    // An upload has a connection of its own.
    const other = await trial
      .upload(request, { from })
      .then((upload) => trial.finish(upload))
      .catch(() => shown);
    // What is let in there alone was not asked for its secret here.
    if (isIn ? !isKeptOut(other) : !isAccepted(other)) continue;
    const again = await trial.send(request, shown.from).catch(() => other);
    if (isAccepted(again) !== isIn) return finding;
    const told = { ...finding, actual: `${actual}; ${where} ${describe(other)}` };
    if (!isIn) return { ...told, expected: `${expected}, also for ${what} from before` };
    const wanted = `401, also for ${what} that was let in before`;
    return { ...told, clause: "AUTH-REQUIRED", expected: wanted, combination: undefined };
  }
  return finding;
}
