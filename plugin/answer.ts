import type { Code } from "./codes.ts";

/** What a request is answered with; its status follows from `code`, 200 without one. */
export interface Answer {
  readonly ok: boolean;
  readonly code?: Code;
  /** Replaces the code's own message; must hold nothing that the caller sent. */
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
