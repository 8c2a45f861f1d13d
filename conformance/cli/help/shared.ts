/** Options that several commands have. */
import { formatNames } from "../../report/formats.ts";

export const targetUsage = `\
  --plugin FILE        a plugin, hosted by the embedded gateway: a module (.js, .mjs,
                       .cjs; .ts where Node or tsx runs it) or an installed package
  --product NAME       with --plugin: the word in x-<product>-webhook-secret (service)
  --runtime KIND       with --plugin: bare (default) or checking, as for serve
  --target FILE        or any gateway: a target file (.json, .js, .mjs or .ts)`;

export const allowHostUsage = "  --allow-host HOST    let a target listen on another host than this machine";

export const deliveryUsage = `\
  --report KIND=FILE   also write a report; may be repeated. KIND is one of
                       ${formatNames.join(", ")};
                       FILE - is standard output
  --report github      annotations and a job summary for a GitHub workflow
  --verbose            print every failure in full, and all names`;
