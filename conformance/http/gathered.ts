/** The bytes of one answer as they come, bounded by construction: in one buffer, however small the pieces are. */

/** A target may not make the runner hold more than this of one answer. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Each piece costs the runner a call, however few bytes it has. The largest body comes back in as many one by one. */
export const MAX_ANSWER_PIECES = 512 * 1024;

/** An answer that is no answer, or larger than any that is read. The message is the fault of the exchange. */
export class AnswerFault extends Error {}

/** An answer of the service has a few kilobytes; a list of flows that hold the largest bodies has more. */
const LARGE_ANSWER_BYTES = 256 * 1024;
/** What all large answers of one target may come to: all answers of a whole run are 7 MB where nothing is wrong. */
const MAX_LARGE_BYTES = 16 * 1024 * 1024;

/** Bytes of large answers so far, by the origin of the target: whichever client reads them, many at the same time. */
const large = new Map<string, number>();

/** Another target listens at this origin from now on. */
export const forgetLargeAnswers = (origin: string): void => void large.delete(origin);

export class Gathered {
  readonly #origin: string | undefined;
  #buffer = Buffer.alloc(0);
  #size = 0;
  #pieces = 0;

  /** `origin`: of the target that answers; undefined for what is gathered elsewhere, too. */
  constructor(origin: string | undefined) {
    this.#origin = origin;
  }

  /** Copies a piece: a slice would keep the whole read that it is part of. Throws `AnswerFault`. */
  add(piece: Uint8Array): void {
    this.#pieces += 1;
    const size = this.#size + piece.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new AnswerFault(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    if (this.#pieces > MAX_ANSWER_PIECES) throw new AnswerFault(`an answer in more than ${MAX_ANSWER_PIECES} pieces`);
    if (size > LARGE_ANSWER_BYTES) this.#countLarge(piece.byteLength);
    if (size > this.#buffer.byteLength) this.#grow(size);
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }

  /** All bytes so far, not copied. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** No more large ones from a target that has sent very many. */
  #countLarge(bytes: number): void {
    if (this.#origin === undefined) return;
    const sum = (large.get(this.#origin) ?? 0) + bytes;
    large.set(this.#origin, sum);
    if (sum > MAX_LARGE_BYTES) throw new AnswerFault(`an answer of more than ${LARGE_ANSWER_BYTES} bytes`);
  }

  /** To twice the size, so that all copies together stay linear. */
  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#buffer.byteLength));
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}
