/** Whether a connection carries the authentication: asked where a request was let in, or kept out, and should not be. */
import { Client } from "../http/client.ts";
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import type { Finding } from "./finding.ts";
import type { Trial } from "./trial.ts";

/** The finding, which says so where a new connection is answered otherwise, and the one from before as before. */
export async function onOtherConnection(trial: Trial, finding: Finding): Promise<Finding> {
  const { expected, actual, exchanges: [shown] = [] } = finding;
  const isIn = shown !== undefined && isAccepted(shown);
  if (isIn ? !/\b401\b/.test(expected) : shown?.answer?.status !== 401) return finding;
  const { request, from } = shown as Exchange;
  const client = new Client(trial.server.origin, trial.server.target.requestTimeoutMs);
  const anew = await trial.send(request, from, client).catch(() => shown as Exchange);
  const again = await trial.send(request, from).catch(() => anew);
  if (isAccepted(anew) === isIn || isAccepted(again) !== isIn) return finding;
  const told = { ...finding, actual: `${actual}; on a new connection ${describe(anew)}` };
  if (!isIn) return { ...told, expected: `${expected}, also on a connection from before` };
  const secret = "401 for another secret on a connection that was let in before";
  return { ...told, clause: "AUTH-REQUIRED", expected: secret, combination: undefined };
}
