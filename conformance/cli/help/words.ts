/** The help of each command that needs nothing but words; those of `fixtures` and `serve` read tables of theirs. */
import { formatNames } from "../../report/formats.ts";

/** Options that several commands have. */
const targetUsage = `\
  --plugin FILE        a plugin, hosted by the embedded gateway: a module (.js, .mjs,
                       .cjs; .ts where Node or tsx runs it) or an installed package
  --product NAME       with --plugin: the word in x-<product>-webhook-secret (service)
  --runtime KIND       with --plugin: bare (default) or checking, as for serve
  --request-timeout MS with --plugin: the longest wait for one answer (5000)
  --target FILE        or any gateway: a target file (.json, .js, .mjs or .ts)`;

const allowHostUsage = "  --allow-host HOST    let a target listen on another host than this machine";

const deliveryUsage = `\
  --report KIND=FILE   also write a report; may be repeated. KIND is one of
                       ${formatNames.join(", ")};
                       FILE - is standard output
  --report github      annotations and a job summary for a GitHub workflow
  --verbose            print every failure in full, and all names`;

export const run = `usage: webhooks-conformance run --plugin FILE [options]
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
  --failed             only what failed when this target was judged last
  --row FACTOR=VALUE   run one row of one case: FACTOR has VALUE (may be repeated),
                       every other factor its first value (see explain)
  --quick              leave out the cases that let real time pass or send very many
                       requests; where the target has a driven clock, use that alone
  --shard I/N          only part I of N parts of about the same size, for merge
${deliveryUsage}
  --log FILE           write every exchange of the cases, a JSON object a line
  --live               print failures as they come, on standard error
  --bail N             stop after N failures; the verdict is that of a part
  --inspect            with --plugin and one case: a debugger can attach on port
                       9229, the case waits for Enter, and time limits are off
  --watch              judge again at each save of the plugin's files, or of a file in
                       the folder of the start command; what failed last comes first
  --watch-dir DIR      with --watch: look at the files of DIR instead; may be repeated
  --max-minutes N      end the run N minutes after its first start, such as 2.5; cases
                       without a result are unreached (default: three times the
                       estimate, from 5 to 60)
  --fail-on LEVEL      must, gap (default) or should: which failures turn the run red
  --seed N             the seed of the properties' random requests (default: 1)
  --runs N             run the properties with N seeds from --seed on, each on a new
                       start of the target
  --replays DIR        also send the requests of the replay files in DIR
  --keep DIR           write the faults that the properties find into DIR, as replay
                       files
${allowHostUsage}
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,
            4 incomplete, 128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance run --plugin ./plugin.js
  webhooks-conformance run --plugin ./plugin.js --quick
  webhooks-conformance run --plugin ./plugin.js --quick --watch
  webhooks-conformance run --target target.json --case 'AUTH-*' --live --bail 3
  webhooks-conformance run --target target.json --report junit=junit.xml`;

export const replay = `usage: webhooks-conformance replay FILE... --plugin FILE | --target FILE
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

export const merge = `usage: webhooks-conformance merge REPORT... [options]
Takes the JSON reports of run --shard 1/n to n/n, and gives the report, verdict
and exit code of one whole run. Or takes reports of runs that differ only in their
seeds: a fault that one of them found is in the report.
  --baseline FILE      known deviations, in place of those that the runs used
${deliveryUsage}
exit codes: those of run; 2 if a shard is missing, a shard or seed is there twice,
or a report is of another suite, target, profile or selection, or interrupted
examples
  webhooks-conformance merge report-1.json report-2.json --report junit=junit.xml`;

export const render = `usage: webhooks-conformance render REPORT [options]
  REPORT               what run --report json=FILE or merge --report json=FILE wrote
${deliveryUsage}
Without --report it prints the report as a run does.
The exit code is 0, whatever the verdict of the report.
examples
  webhooks-conformance render report.json --verbose
  webhooks-conformance render report.json --report markdown=-`;

export const diff = `usage: webhooks-conformance diff BEFORE AFTER [options]
Takes two JSON reports and prints which cases broke, changed their failure, are no
longer judged, were fixed, are new or gone.
  --html FILE          write a page there, beside the text on standard output
exit codes: 0 nothing broke, 1 a case in both fails only in the second, 2 usage
examples
  webhooks-conformance diff before.json after.json --html diff.html`;

export const matrix = `usage: webhooks-conformance matrix REPORT REPORT... [options]
Takes the JSON reports of several targets, or of several versions of one, and prints
how many cases of each section passed, and the cases that some report did not pass.
  --differences        only cases that do not end alike in all reports
  --html FILE          write a page there, beside the text on standard output
  --markdown FILE      write Markdown there, for a wiki or a pull request
exit codes: 0, whatever the verdicts of the reports; 2 usage
examples
  webhooks-conformance matrix one.json two.json three.json --differences`;

export const baseline = `usage: webhooks-conformance baseline write REPORT --out FILE [--reason TEXT]
       webhooks-conformance baseline check [REPORT] --baseline FILE
REPORT is what run --report json=FILE wrote.
write makes an entry for each case that turned the run of a JSON report red. If --out
exists, it keeps the entries of cases that still fail the same way, and drops those
of cases that pass. New entries have the reason of --reason, or none: fill it in, as
a run refuses an entry without a reason.
check reads a baseline as a run does, and prints which entries have expired and, with
a report, which are stale or changed.
exit codes: 0 every entry holds, 1 an entry is stale, changed or expired, 2 usage
examples
  webhooks-conformance baseline write report.json --out baseline.json
  webhooks-conformance baseline check report.json --baseline baseline.json`;

export const doctor = `usage: webhooks-conformance doctor --plugin FILE | --target FILE
Starts the target once and checks: does it answer, are the routes there, which
secret header it accepts, does it tell client addresses apart, is there another
limit or a proxy in the way, what can be judged, how long a run takes.
${targetUsage}
${allowHostUsage}
exit codes: 0 ready, 2 usage, 3 not started, not reached or not ready to be judged,
            128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance doctor --target target.json`;

export const init = `usage: webhooks-conformance init [options]
It needs one of --plugin, --start and --base-url.
  --plugin FILE      the target file that stands for run --plugin FILE
  --runtime KIND     with --plugin: bare (default) or checking, as for serve
  --request-timeout MS
                     with --plugin: the longest wait for one answer (5000)
  --start "COMMAND"  how the kit starts the target; {config} and {port} are filled in
  --base-url URL     or: where it already runs
  --name NAME        what reports call it
  --product NAME     the word in x-<product>-webhook-secret
  --profile NAME     spec, reference, openclaw or a path to one of your own
  --out FILE         the file to write, target.json by default; never overwritten
examples
  webhooks-conformance init --start 'node server.mjs --config {config} --port {port}'
  webhooks-conformance init --base-url http://127.0.0.1:8080 --out running.json`;

export const list = `usage: webhooks-conformance list [CASE|PATTERN...] [--json | --clauses]
Lists all cases, or those that a name or a pattern with * and ? matches. A line per
case: id, level, the most requests that it sends with one key (path and client
address), title.
  --json     the cases as JSON: these, and clauses, gaps, needs, seconds, reading
  --clauses  each clause of the interface with its level, its section and its cases
examples
  webhooks-conformance list
  webhooks-conformance list 'AUTH-*'
  webhooks-conformance list --clauses
  webhooks-conformance list --json | jq -r '.[] | select(.needs == []) | .id'`;

export const explain = `usage: webhooks-conformance explain CASE|PATTERN... [--json]
Prints what each case judges, the clauses with their sections, and how they were read.
  --json  the same as JSON: an object for one id, a list for a pattern or several
examples
  webhooks-conformance explain RATE-121-REFUSED
  webhooks-conformance explain 'SECRET-*' --json`;

export const config = `usage: webhooks-conformance config --out DIR [--target FILE]
Writes DIR/config.json and DIR/secrets.env. Load both into your gateway, name
DIR as config.dir in a target file with a baseUrl, and run. Existing files are
never overwritten.
  --target FILE  fits the configuration to this target (entryId, sessionKey, merge)
                 and writes the files of its secretSources; {stateDir} is DIR
examples
  webhooks-conformance config --out conformance-config --target target.json`;

export const profile = `usage: webhooks-conformance profile learn --plugin FILE | --target FILE
         [options]
Observes what the target does where the interface leaves gaps, and writes a
profile to review: it says what the target does, not what it should do. A second
run of the cases that read a profile confirms the values. Values that could not
be observed are left out and listed.
${targetUsage};
                       its profile gives the names of open fields
  --out FILE           write the profile there instead of standard output
${allowHostUsage}
exit codes: 0 written, 2 usage, 3 target not reached,
            128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance profile learn --target target.json --out learned.json`;
