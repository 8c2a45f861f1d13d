/** A connection that goes on reading when the target takes no more bytes. */
import { Socket, type SocketConstructorOpts } from "node:net";

type Done = (error?: Error | null) => void;

/**
 * A target that answers early and closes has its system reset the connection, and the next write fails. Node's socket
 * would be destroyed by that, with the answer still unread in the system's buffer. This one drops what it cannot send;
 * reading then ends with the answer, or with the fault.
 */
export class ReadingSocket extends Socket {
  #isBroken = false;

  constructor(options: SocketConstructorOpts = {}) {
    super(options);
    // What is sent goes out at once: else the system holds a small piece back until the one before is acknowledged.
    this.setNoDelay(true);
  }

  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    if (this.#isBroken) done();
    else super._write(chunk, encoding, this.#forgiving(done));
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: Done): void {
    if (this.#isBroken) done();
    else super._writev?.(chunks, this.#forgiving(done));
  }

  #forgiving(done: Done): Done {
    return (error) => {
      // While it connects there is nothing to read: that nobody listens is told by this error.
      const isLost = error != null && this.readable && !this.connecting;
      if (isLost) this.#isBroken = true;
      done(isLost ? null : error);
    };
  }
}
