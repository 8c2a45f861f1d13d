/** The outcomes that a mock can be told to produce. */
import { actions } from "../../plugin/actions/index.ts";
import { accept, reject, type Answer } from "../../plugin/answer.ts";
import { pluginCodes, specificationCodes, type Code } from "../../plugin/codes.ts";

/** A code of the interface or the plugin; `no_answer`: nothing is carried out; `lost_answer`: carried out, then dropped. */
export const outcomeNames = [...specificationCodes, ...pluginCodes, "no_answer", "lost_answer"] as const;

export const actionNames: readonly string[] = actions.map(({ name }) => name);

export type OutcomeName = (typeof outcomeNames)[number];

/** An answer that no gateway writes, such as a proxy's. */
export interface RawAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Outcome = OutcomeName | RawAnswer;

/** Headers that the plugin sends with a code; of the waits that a window can be about to end after, the shortest. */
const headers: Readonly<Partial<Record<Code, Readonly<Record<string, string>>>>> = {
  method_not_allowed: { Allow: "POST" },
  rate_limited: { "Retry-After": "1" },
  unauthorized: { "WWW-Authenticate": "Bearer" },
  payload_too_large: { Connection: "close" },
  request_timeout: { Connection: "close" },
};

/** The plugin's answer for a code. `cancel_pending` is the one code that is no rejection. */
export function answerOf(code: Code, result: object): Answer {
  if (code === "cancel_pending") return accept(result, code);
  return reject(code, { headers: headers[code] ?? {}, result });
}
