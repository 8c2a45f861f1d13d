import { allowHostUsage, targetUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance doctor --plugin FILE | --target FILE
Starts the target once and checks: does it answer, are the routes there, which
secret header it accepts, does it tell client addresses apart, is there another
limit or a proxy in the way, what can be judged, how long a run takes.
${targetUsage}
${allowHostUsage}
exit codes: 0 ready, 2 usage, 3 not started, not reached or not ready to be judged,
            128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance doctor --target target.json`;
