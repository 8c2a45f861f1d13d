import { allowHostUsage, deliveryUsage, targetUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance run --plugin FILE [options]
       webhooks-conformance run --target FILE [options]
${targetUsage}
  --profile NAME|FILE  what to expect where the interface leaves gaps: spec,
                       reference, openclaw or a file (default: the target file's)
  --baseline FILE      known deviations, each with a reason: these do not turn the run
                       red, but an entry that is no longer true does
  --section N          only cases of clauses in this section of the interface
  --clause ID          only cases of this clause
  --case ID|PATTERN    only this case, or those that a pattern with * and ? matches
  --capability NAME    only cases that need this capability of the target
                       (each may be repeated; a case has to match every kind of
                       filter that is given)
  --quick              leave out the cases that let real time pass or send very many
                       requests; where the target has a driven clock, use that alone
  --shard I/N          only part I of N parts of about the same size, for merge
${deliveryUsage}
  --live               print failures as they come, on standard error
  --bail N             stop after N failures; the verdict is that of a part
  --max-minutes N      end the run after N minutes, such as 2.5; cases without a result
                       are errors (default: three times the estimate, from 5 to 60)
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --repeat N           run everything N times, twice on each start of the target; a
                       case whose outcome differs is an error
  --shuffle SEED       run the cases in an order made from this number
  --seed N             the seed of the properties' random requests (default: 1)
  --runs N             run the properties with N seeds from --seed on, each on a new
                       start of the target
  --minutes N          the same, starting new seeds for N minutes
  --replays DIR        also send the requests of the replay files in DIR
  --keep DIR           write the faults that the properties find into DIR, as replay
                       files
${allowHostUsage}
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,
            4 incomplete, 128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance run --plugin ./plugin.js
  webhooks-conformance run --plugin ./plugin.js --quick
  webhooks-conformance run --target target.json --case 'AUTH-*' --live --bail 3
  webhooks-conformance run --target target.json --report junit=junit.xml`;
