/** Options that several commands have. */
import { formatNames } from "../../report/formats.ts";

export const allowHostUsage = "  --allow-host HOST    let a target listen on another host than this machine";

export const deliveryUsage = `\
  --report KIND=FILE   also write a report; may be repeated. KIND is one of
                       ${formatNames.join(", ")};
                       FILE - is standard output
  --report github      annotations and a job summary for a GitHub workflow
  --verbose            print every failure in full, and all names`;
