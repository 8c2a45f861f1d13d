/** The bytes of one answer as they come, bounded by construction: in one buffer, however small the pieces are. */

/** A target may not make the runner hold more than this of one answer. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Each piece costs the runner a call, however few bytes it has. */
export const MAX_ANSWER_PIECES = 64 * 1024;
/** RFC 9110, 15.2 sets no number; without one a target would keep the parser busy without end. */
export const MAX_INTERIM_ANSWERS = 100;
export const TOO_MANY_INTERIM = `more than ${MAX_INTERIM_ANSWERS} interim answers`;

/** An answer that is larger than any that is read. The message is the fault of the exchange. */
export class TooLarge extends Error {}

export class Gathered {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #size = 0;
  #pieces = 0;

  constructor(maxBytes = MAX_ANSWER_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Copies a piece: a slice would keep the whole read that it is part of. Throws `TooLarge`. */
  add(piece: Uint8Array): void {
    this.#pieces += 1;
    const size = this.#size + piece.byteLength;
    if (size > this.#maxBytes) throw new TooLarge(`an answer of more than ${this.#maxBytes} bytes`);
    if (this.#pieces > MAX_ANSWER_PIECES) throw new TooLarge(`an answer in more than ${MAX_ANSWER_PIECES} pieces`);
    if (size > this.#buffer.byteLength) this.#grow(size);
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }

  /** All bytes so far, not copied. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** To twice the size, so that all copies together stay linear. */
  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer.byteLength));
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}
