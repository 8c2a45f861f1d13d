/** Whether a connection carries the authentication: asked where a request was let in, or kept out, and should not be. */
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import type { Finding } from "./finding.ts";
import type { Trial } from "./trial.ts";

const isKeptOut = ({ answer }: Exchange): boolean => answer?.status === 401;

/** Sends the request again, on a new connection and on the old one: the finding says so where only the new one is answered otherwise. */
export async function onOtherConnection(trial: Trial, finding: Finding): Promise<Finding> {
  const { expected, actual, exchanges: [shown] = [] } = finding;
  if (shown === undefined) return finding;
  const isIn = isAccepted(shown);
  if (!isIn && !isKeptOut(shown)) return finding;
  const { request, from } = shown;
  // An upload has a connection of its own.
  const anew = await trial
    .upload(request, { from })
    .then((upload) => trial.finish(upload))
    .catch(() => shown);
  // What is let in on the old connection alone was not asked for its secret there.
  if (isIn ? !isKeptOut(anew) : !isAccepted(anew)) return finding;
  const again = await trial.send(request, from).catch(() => anew);
  if (isAccepted(again) !== isIn) return finding;
  const told = { ...finding, actual: `${actual}; on a new connection ${describe(anew)}` };
  if (!isIn) return { ...told, expected: `${expected}, also on a connection from before` };
  const secret = "401 for another secret on a connection that was let in before";
  return { ...told, clause: "AUTH-REQUIRED", expected: secret, combination: undefined };
}
