import type { Code } from "./codes.ts";

/** The answer to a request. The HTTP status follows from `code`; without a code it is 200. */
export interface Answer {
  readonly ok: boolean;
  readonly code?: Code;
  /** Replaces the code's message. Must not repeat anything that the caller sent. */
  readonly error?: string;
  readonly result: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function accept(result: object, code?: Code): Answer {
  return code === undefined ? { ok: true, result } : { ok: true, code, result };
}

export function reject(code: Code, more: Partial<Pick<Answer, "error" | "result" | "headers">> = {}): Answer {
  return { ok: false, code, result: {}, ...more };
}
