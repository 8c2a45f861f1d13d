/** A broken story as a script for bash and curl: whoever has no kit can send its requests to a target. */
import { neutral } from "../http/exchange.ts";
import { shellWord } from "../http/replay-line.ts";
import { variableOf } from "../targets/keyring.ts";
import { lanes, pathOf, standardRoutes } from "../targets/standard-routes.ts";
import { oddInBash } from "./odd-in-bash.ts";
import { FREE_CLIENT, PER_CLIENT } from "./player.ts";
import { WORKERS } from "./race-player.ts";
import type { ReplayFile } from "../story/replay-file.ts";
import { scriptFunctions } from "./script-head.ts";
import { routeNames, type Reference, type RouteName, type SendStep, type Step } from "../story/story.ts";
import { requestIn, sentenceOf } from "./tell.ts";

/** What stands in a word for bash as it is, and what bash puts in its place. */
type Piece = string | { readonly bash: string };

/** Parts of a line for bash. */
interface Call {
  readonly needs: string;
  readonly setting: string;
  readonly call: string;
  readonly body: string | undefined;
}

/** A request's body, and what has to be known of flows before: how many revisions of each. */
interface Body {
  readonly pieces: readonly Piece[];
  readonly needs: ReadonlyMap<string, number>;
}

/** The cheapest right request of properties whose stories need not name one. */
const LIMITS = ["PROPERTY-LIMITS", "PROPERTY-KEYS"];

/** The whole text of the script. Whatever the story holds is quoted, and no control character is in it. */
export function scriptOf(file: ReplayFile): string {
  const { property, clause, expected, actual, seed, run, target, steps } = file;
  const written = new Writer(LIMITS.includes(property));
  const calls = steps.flatMap((step, index) => written.linesOf(step, String(index + 1)));
  const head = [
    "#!/usr/bin/env bash",
    `# ${property}, clause ${clause}: found with seed ${seed}, run ${run}, target ${oneLine(target)}.`,
    "# Sends the requests again, prints each answer and judges none: what was expected stands at the end.",
    "# BASE_URL names a target with the standard configuration (webhooks-conformance config --out DIR); its secrets come",
    "# from the environment (set -a; . DIR/secrets.env). Other routes: ROUTE_PATH and ROUTE_SECRET and so on, below.",
    `# ${byHandRemark(written.byHand, steps.length)}`,
    ...(written.sleeps ? ["# Time passes really: where the target's clock is driven, drive it on instead."] : []),
    ...(written.races ? ["# It is a race: it may take several runs until the answers are wrong again."] : []),
    "set -u",
    `: "\${BASE_URL:?the target, such as http://127.0.0.1:8080}"`,
    ...written.variables(),
    "# The first two numbers of the addresses that clients send from; empty where all requests come from one.",
    "network=; [[ $BASE_URL =~ ://(127[.]|localhost) ]] && network=127.$((RANDOM % 200 + 20))",
    ': "${CLIENT_NETWORK=$network}"',
  ];
  const tail = [`expected  ${oneLine(expected)}`, `it gave   ${oneLine(actual)} (when the story was found)`];
  return [
    ...head,
    scriptFunctions,
    ...calls,
    `printf '     %s\\n' ${tail.map((line) => shellWord(line)).join(" ")}`,
    "",
  ].join("\n");
}

/** Words of the story on one line, and not too many. */
const oneLine = (value: string): string => neutral(value, 400);

const byHandRemark = (count: number, all: number): string =>
  count === 0
    ? `Each of its ${all} steps is a request or time that passes.`
    : `What curl cannot do is marked BY HAND, to be done at that moment: ${count} of its ${all} steps.`;

class Writer {
  byHand = 0;
  sleeps = false;
  races = false;
  readonly #isLimits: boolean;
  readonly #routes = new Set<RouteName>();
  readonly #sessions = new Set<RouteName>();
  /** Requests so far that may come from any client. */
  #free = 0;

  constructor(isLimits: boolean) {
    this.#isLimits = isLimits;
  }

  /** Where the routes are and what opens them, by what the standard configuration says of its first lane. */
  variables(): string[] {
    const lines = routeNames
      .filter((name) => this.#routes.has(name))
      .map((name) => {
        const route = routeAt(name);
        const secret = `${variableOf(route)}:?the secret of ${route.id}, as in secrets.env`;
        return `: "\${${upper(name)}_PATH:=${pathOf(route)}}" "\${${upper(name)}_SECRET:=\${${secret}}}"`;
      });
    const keys = [...this.#sessions].map(
      (name) => `: "\${${upper(name)}_SESSION_KEY:?the session key of ${routeAt(name).id}, as in config.json}"`,
    );
    return [...lines, ...keys];
  }

  linesOf(step: Step, number: string): string[] {
    if (step.do === "send") return [this.#send(step, number)];
    if (step.do === "together") return this.#together(step, number);
    if (step.do === "pass") {
      this.sleeps = true;
      return [`echo '${number}. ${step.ms} ms pass'; sleep ${(step.ms / 1000).toFixed(3)}`];
    }
    if (step.do === "flood") {
      this.#routes.add("route");
      return [`flood ${number} ${step.keys} ${quote(sentenceOf(step))}`];
    }
    return [`# ${howToDo(step)}`, this.#byHand(sentenceOf(step), number)];
  }

  /** Each worker sends one request after the other. What is sent first is filled in before any of it can be answered. */
  #together({ sends, width = sends.length }: Extract<Step, { do: "together" }>, number: string): string[] {
    this.races = true;
    const first: string[] = [];
    const workers = Array.from({ length: Math.min(width, sends.length) }, (_, worker) => {
      const calls = sends.flatMap((send, index) => {
        if (index % width !== worker) return [];
        const { needs, setting, call, body } = this.#call(send, `${number}.${index + 1}`, worker);
        if (body === undefined) return [`  ${call}`];
        if (index !== worker) return [`  ${needs}${setting}${call} ${body}`];
        first.push(`unset first_${worker}; ${needs}first_${worker}=${body}`);
        return [`  [ -n "\${first_${worker}+set}" ] && ${setting}${call} "$first_${worker}"`];
      });
      return ["(", ...calls, ") &"];
    });
    return [`# ${sends.length} requests at once, ${workers.length} at a time`, ...first, ...workers.flat(), "wait"];
  }

  #send(step: SendStep, number: string): string {
    const { needs, setting, call, body } = this.#call(step, number, 0);
    return body === undefined ? call : `${needs}${setting}${call} ${body}`;
  }

  /** What has to be known first, what stands before the call, the call, and its last word: absent where a hand has to do it. */
  #call(step: SendStep, number: string, worker: number): Call {
    const { route, body, text, method, contentType, secret, padTo, times, as = "" } = step;
    const words = oneLine(requestIn(step));
    const filled = text === undefined ? this.#bodyOf(body ?? this.#right) : { pieces: [text], needs: new Map() };
    if (filled === undefined || !isCarried(step))
      return { needs: "", setting: "", call: this.#byHand(words, number), body: undefined };
    this.#routes.add(route);
    const settings = { method, content_type: contentType, secret, pad: padTo, times };
    const setting = Object.entries(settings).map(([name, value]) =>
      value === undefined ? "" : `${name}=${quote(String(value), "latin1")} `,
    );
    const needs = [...filled.needs].map(([flow, count]) => `knows ${number} ${flow} ${count} && `);
    const call = ["send", number, quote(words), upper(route), String(this.#client(step, worker)), quote(as)];
    return {
      needs: needs.join(""),
      setting: setting.join(""),
      call: call.join(" "),
      body: filled.pieces.map(wordOf).join(""),
    };
  }

  #byHand(words: string, number: string): string {
    this.byHand += 1;
    return `by_hand ${number} ${quote(oneLine(words))}`;
  }

  get #right(): NonNullable<SendStep["body"]> {
    return this.#isLimits ? { action: "list_flows" } : {};
  }

  #client({ client }: SendStep, worker: number): number {
    if (client !== undefined) return client;
    return this.#isLimits ? 0 : FREE_CLIENT + worker + WORKERS * Math.floor(this.#free++ / PER_CLIENT);
  }

  /** A body as JSON; undefined where it refers to what no story can name. */
  #bodyOf(value: NonNullable<SendStep["body"]>): Body | undefined {
    const needs = new Map<string, number>();
    const pieces = this.#json(value, needs);
    return pieces.includes(undefined) ? undefined : { pieces: joined(pieces as Piece[]), needs };
  }

  #json(value: unknown, needs: Map<string, number>): (Piece | undefined)[] {
    if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
    if (Array.isArray(value)) return ["[", ...listed(value.map((item: unknown) => this.#json(item, needs))), "]"];
    if (Object.keys(value).some((key) => key.startsWith("$"))) return this.#reference(value, needs);
    const fields = Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}:`, ...this.#json(item, needs)]);
    return ["{", ...listed(fields), "}"];
  }

  /** What is read from a file was checked; bash gets nothing unchecked all the same. */
  #reference(reference: Reference, needs: Map<string, number>): (Piece | undefined)[] {
    const { $flow, $revision, $sessionKey, at = "current", by = 1, as } = reference;
    const flow = $flow ?? $revision;
    if (flow !== undefined) {
      if (!/^f\d+$/.test(flow) || !Number.isSafeInteger(by) || by < 0) return [undefined];
      const count = $flow !== undefined ? 0 : at === "stale" && as === undefined ? 2 : 1;
      needs.set(flow, Math.max(count, needs.get(flow) ?? 0));
      if ($flow !== undefined) return [{ bash: `$(flow_id ${flow})` }];
      const now = `$(revision ${flow} 0)`;
      if (as !== undefined) return oddInBash(as, now) ?? [undefined];
      if (at === "future") return [{ bash: `$((${now} + ${by}))` }];
      return [{ bash: at === "stale" ? `$(revision ${flow} ${by})` : now }];
    }
    if ($sessionKey === undefined || !routeNames.includes($sessionKey)) return [undefined];
    const session = $sessionKey === "stranger" ? "stranger" : "route";
    this.#sessions.add(session);
    const more = as === undefined ? "" : JSON.stringify(`-${as}`).slice(1, -1);
    return ['"', { bash: `$${upper(session)}_SESSION_KEY` }, `${more}"`];
  }
}

/** What bash cannot hold, or what would be another header for curl. */
function isCarried({ text = "", contentType = "", secret = "" }: SendStep): boolean {
  return !text.includes("\0") && !/\p{Cc}/u.test(contentType + secret);
}

function howToDo(step: Exclude<Step, { do: "send" | "together" | "pass" | "flood" }>): string {
  if (step.do === "settle")
    return "at the control port, POST /tasks/settle with the flowId and taskId of the answers above";
  if (step.do === "persist")
    return `at the control port, POST /persistence with ${JSON.stringify({ fail: step.fail })}`;
  if (step.do === "hold")
    return "each with its last byte held back, so that it stays in flight, while what follows is sent";
  return "of those held above: send the last byte (finish), or close the connection (abort)";
}

/** The route of this name in the first lane. */
function routeAt(name: RouteName) {
  const route = standardRoutes.find(({ id }) => id === lanes[0]?.[name]);
  if (route === undefined) throw new Error(`the standard configuration has no ${name}`);
  return route;
}

const upper = (name: string): string => name.toUpperCase();

const quote = (text: string, encoding?: "latin1"): string => (text === "" ? "''" : shellWord(text, encoding));

const wordOf = (piece: Piece): string => (typeof piece === "string" ? quote(piece) : `"${piece.bash}"`);

const listed = <T>(items: readonly (readonly T[])[]): (T | ",")[] =>
  items.flatMap((item, index) => (index === 0 ? [...item] : [",", ...item]));

/** Neighbours that are both text become one, so that a line can be read. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all[all.length - 1] = last + piece;
    else all.push(piece);
  }
  return all;
}
