/** The requests that a target got before it ended: the likeliest of them to have ended it come first. */
import { asEvidence, isAccepted, type Exchange } from "../http/exchange.ts";

/** Requests kept: one that ends the target a moment after its answer is followed by no more than these. */
const KEPT = 100;
const SHOWN = 4;
/** Enough to hold a body's action. */
const HEAD_BYTES = 200;

interface Sent {
  readonly by: string;
  readonly exchange: Exchange;
  /** Its place in the run. */
  readonly sent: number;
}

const typeOf = ({ headers }: Exchange["request"]): string =>
  headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";

const actionOf = ({ body }: Exchange["request"]): string | undefined =>
  /"action"\s*:\s*"(\w+)"/.exec(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, HEAD_BYTES)).toString("latin1"),
  )?.[1];

/** Requests of one kind differ in nothing that a target is likely to end by. */
function kindOf({ exchange: { request, answer } }: Sent): string {
  return [request.method, typeOf(request), actionOf(request), answer?.status].join();
}

export class LastRequests {
  #last: Sent[] = [];
  /** Kinds of requests that the target has outlived. */
  readonly #outlived = new Set<string>();

  /** Ignores a request that found nobody listening: it cannot have ended the target. */
  add(by: string, exchange: Exchange, sent: number): void {
    if (exchange.fault === "connection refused" && this.#last.length > 0) return;
    this.#last.push({ by, exchange: asEvidence(exchange), sent });
    const oldest = this.#last.length > KEPT ? this.#last.shift() : undefined;
    if (oldest !== undefined) this.#outlived.add(kindOf(oldest));
  }

  senderOf(request: Exchange["request"]): string | undefined {
    return this.#last.findLast(({ exchange }) => exchange.request === request)?.by;
  }

  /** A few: what is unlike a plain request, then what has no answer, then the others; in each group the earliest first. */
  likeliest(): readonly Sent[] {
    const ranked = this.#last.map((one) => ({ one, rank: this.#rankOf(one) }));
    const chosen = ranked.toReversed().toSorted((a, b) => a.rank - b.rank);
    const shown = chosen.slice(0, SHOWN).toSorted((a, b) => a.rank - b.rank || a.one.sent - b.one.sent);
    return shown.map(({ one }) => one);
  }

  #rankOf(one: Sent): number {
    const { request, answer } = one.exchange;
    if (this.#outlived.has(kindOf(one))) return 3;
    const isPlain =
      request.method === "POST" && typeOf(request) === "application/json" && actionOf(request) !== undefined;
    if (!isPlain) return 0;
    // It may have ended the target, or only have been in flight when another request did.
    if (answer === undefined) return 1;
    return isAccepted(one.exchange) ? 2 : 0;
  }
}
