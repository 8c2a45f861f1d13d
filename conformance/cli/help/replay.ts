import { allowHostUsage, deliveryUsage, targetUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance replay FILE... --plugin FILE | --target FILE
         [options]
  FILE                 replay files, as run --keep writes them; sent to any target
${targetUsage}
  --profile NAME|FILE  as for run
${deliveryUsage}
  --live               print failures as they come, on standard error
${allowHostUsage}
exit codes: 0 fault not shown, 1 fault shown again, 2 usage, 3 target not reached,
            4 not tested, 128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance replay found/limits-rate-120-7-2.json --target target.json`;
