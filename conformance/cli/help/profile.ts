import { allowHostUsage, targetUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance profile learn --plugin FILE | --target FILE
         [options]
Observes what the target does where the interface leaves gaps, and writes a
profile to review: it says what the target does, not what it should do. A second
run confirms each value with the cases on it. Values that could not be observed
are left out and listed.
${targetUsage};
                       its profile gives the names of open fields
  --out FILE           write the profile there instead of standard output
${allowHostUsage}
exit codes: 0 written, 2 usage, 3 target not reached,
            128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance profile learn --target target.json --out learned.json`;
