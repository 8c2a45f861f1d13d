/** The log of the playground: a line of columns for each request and, when asked for, both bodies. */
import { actionNames } from "./outcomes.ts";
import type { ReceivedRequest } from "./received.ts";

export interface Logged {
  readonly request: ReceivedRequest;
  /** The envelope; absent where the plugin wrote none. */
  readonly answer: object | undefined;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

export type Shown = (text: string) => string;

export interface LogOptions {
  /** The ids of the routes, for the width of their column. */
  readonly routes: readonly string[];
  readonly colour: boolean;
  readonly verbose: boolean;
  /** A text of a caller as the log may show it: without secrets, and with nothing that acts on a terminal or in a CI log. */
  readonly shown: Shown;
}

const UNKNOWN_PATH = "unknown path";
const ACTION_WIDTH = Math.max(...actionNames.map((name) => name.length));
/** As wide as "409 mutation_rejected (injected)". */
const ANSWER_WIDTH = 32;
const MOST_CHARACTERS = 2_000;

/** Colours of a terminal, by the first digit of the status. */
const colours: Readonly<Record<string, number>> = { 2: 32, 4: 33, 5: 31 };
const DIM = 2;
const MAGENTA = 35;
const painted = (text: string, code: number) => `\u001B[${code}m${text}\u001B[0m`;

/** Makes the lines for one request. Without `verbose` they hold no text from the caller, so no secret or forged line. */
export function logLines(options: LogOptions): (logged: Logged) => string[] {
  const paint = options.colour ? painted : (text: string) => text;
  const routeWidth = Math.max(UNKNOWN_PATH.length, ...options.routes.map((id) => id.length));
  return ({ request, answer, endedAt }) => {
    const { at, method, route = UNKNOWN_PATH, body, status, code, forced } = request;
    const named = actionNames.find((name) => name === body?.["action"]) ?? "unknown action";
    const result = [status ?? "no answer", code, forced && "(injected)"].filter(Boolean).join(" ");
    const line = [
      paint(new Date(at).toISOString().slice(11, 23), DIM),
      (/^[A-Z]{1,10}$/.test(method) ? method : "?").padEnd(4),
      route.padEnd(routeWidth),
      (body === undefined ? "-" : named).padEnd(ACTION_WIDTH),
      paint(result.padEnd(ANSWER_WIDTH), colours[String(status)[0] ?? ""] ?? MAGENTA),
      `${endedAt - at} ms`.padStart(8),
      flowIdIn(answer) ?? "-",
    ].join("  ");
    if (!options.verbose) return [line];
    const bodies = [body && `  > ${bodyText(body, options.shown)}`, answer && `  < ${bodyText(answer, options.shown)}`];
    return [line, ...bodies.filter((text) => text !== undefined).map((text) => paint(text, DIM))];
  };
}

/** The id of the one flow that an answer is about; never one that the caller sent. */
function flowIdIn(answer: object | undefined): string | undefined {
  const { result } = (answer ?? {}) as { result?: { flow?: unknown; current?: unknown } };
  const flow = (result?.flow ?? result?.current ?? {}) as { flowId?: unknown };
  return typeof flow.flowId === "string" ? flow.flowId : undefined;
}

function bodyText(body: object, shown: Shown): string {
  const text = shown(JSON.stringify(body));
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} ... ${text.length} characters` : text;
}
