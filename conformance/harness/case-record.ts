/** What a case has done so far: evidence for its report, shared by the trials that are made from one. */
import type { Exchange } from "../http/exchange.ts";
import { TooMuchAnswered } from "../http/harness-error.ts";
import type { Request } from "../interface/request.ts";
import type { Server } from "../targets/server.ts";
import { failureIn, Unreached } from "./case-errors.ts";
import type { Finding } from "./finding.ts";
import type { Measure } from "./outcome.ts";
import type { WatchedCase, Watching } from "./watcher.ts";

/** Reason of a case that is not about limits and got a 429. */
export const LIMIT_MET = "a limit refused what this case needs (429); ALWAYS-WITHIN-LIMITS judges whether it had to";
/** Steps kept as evidence: enough for the windows of all watched keys. A case that floods keeps the last ones. */
const KEPT_STEPS = 2000;
/** Bytes of all answers to one case, which may hold them all: a target must not fill the runner's memory. */
const MAX_CASE_BYTES = 8 * 1024 * 1024;
/** The same for a costly case, which sends thousands of requests and holds few answers. */
const MAX_COSTLY_BYTES = 8 * MAX_CASE_BYTES;

/** Both findings as one with the values of both, where they differ in the values of a single factor; else undefined. */
function joined(one: Finding, { expected, actual, combination: [other, ...more] = [] }: Finding): Finding | undefined {
  const [part, ...rest] = one.combination ?? [];
  const isSame = one.expected === expected && one.actual === actual && part?.factor === other?.factor;
  if (!isSame || part === undefined || other === undefined || rest.length + more.length > 0) return undefined;
  return { ...one, combination: [{ ...part, values: [...new Set([...part.values, ...other.values])] }] };
}

export interface Done {
  readonly what: Exchange | string;
  /** When it was over, on the target's clock, ms from any origin. */
  readonly at: number;
  /** Path and client address, where it is about one. */
  readonly key: string | undefined;
}

export const keyText = ({ request, from }: Pick<Exchange, "request" | "from">): string => `${request.path} ${from}`;

export interface Recorded {
  readonly case: WatchedCase & { readonly costly?: true };
  readonly server: Server;
  readonly facts: { readonly driven: boolean };
  readonly watching: Watching;
  /** The case ends at this many findings. */
  readonly mostFindings: number;
}

interface Begun {
  readonly upload: { readonly answered: boolean };
  readonly key: string;
}

export class CaseRecord {
  readonly #of: Recorded;
  #answerBytes = 0;
  readonly #begun: Begun[] = [];
  readonly open = new Set<{ abort(): void }>();
  requests = 0;
  readonly measures: Measure[] = [];
  /** Findings after which the case went on. */
  readonly found: Finding[] = [];
  /** Everything that was sent, and notes of what was done beside requests, in order. */
  readonly steps: Done[] = [];
  /** How far the case has moved a driven clock, ms. */
  passedMs = 0;

  constructor(of: Recorded) {
    this.#of = of;
  }

  /** Reports a request that goes out. Returns its place in the order of the run, which `keep` takes. */
  departs(request: Request, from: string): number {
    return this.#of.watching.request(this.#of.server, request, from);
  }

  /** The kit has closed the connection of a request, which may have an answer all the same. */
  gaveUp(sent: number): void {
    this.#of.watching.gaveUp(this.#of.server, sent);
  }

  /** Reports answers that a case read from a raw connection. */
  arrives(bytes: string): void {
    this.#of.watching.bytes(this.#of.server, this.#of.case, bytes);
  }

  /** Keeps a finished exchange. `isCounted`: `requests` includes it already, as `Trial.connection` adds its own. */
  keep(exchange: Exchange, sent = 0, isCounted = false): Exchange {
    const { case: item, watching, server } = this.#of;
    watching.exchange(server, item, exchange, sent);
    if (!isCounted) this.requests += 1;
    this.add(exchange, keyText(exchange));
    this.#answerBytes += exchange.answer?.body.byteLength ?? 0;
    const longest = item.costly === true ? MAX_COSTLY_BYTES : MAX_CASE_BYTES;
    if (this.#answerBytes > longest) {
      throw new TooMuchAnswered(`the answers to this case came to more than ${longest} bytes`, [exchange]);
    }
    if (exchange.answer?.status === 429 && item.meetsLimits !== true)
      throw new Unreached(LIMIT_MET, [exchange], "rate limit");
    return exchange;
  }

  /**
   * Keeps a failure after which the case goes on. Rethrows other errors, and the failure that reaches the limit of findings.
   * Failures that differ in the value of one factor become one finding.
   */
  find(error: unknown): void {
    const failure = failureIn(error);
    for (const [place, known] of this.found.entries()) {
      const both = joined(known, failure.finding);
      if (both !== undefined) return void (this.found[place] = both);
    }
    if (this.found.length >= this.#of.mostFindings - 1) throw failure;
    this.found.push(failure.finding);
  }

  /** Notes a request whose head is out and whose body follows. */
  begins(upload: Begun["upload"], key: string): void {
    this.#begun.push({ upload, key });
    const inFlight = this.#begun.filter((one) => one.key === key && !one.upload.answered).length;
    this.add(`a request begins, without its body yet: ${inFlight} in flight`, key);
  }

  add(what: Done["what"], key?: string): void {
    this.steps.push({ what, key, at: this.now() });
    if (this.steps.length > KEPT_STEPS) this.steps.shift();
  }

  /** On the target's clock, ms from any origin. */
  now(): number {
    return this.#of.facts.driven ? this.passedMs : performance.now();
  }

  get exchanges(): readonly Exchange[] {
    return this.steps.flatMap(({ what }) => (typeof what === "string" ? [] : [what]));
  }

  /** The exchange that ended last; empty before the first one. */
  get last(): readonly Exchange[] {
    const last = this.steps.findLast(({ what }) => typeof what !== "string")?.what;
    return last === undefined || typeof last === "string" ? [] : [last];
  }

  close(): void {
    for (const connection of this.open) connection.abort();
  }
}
