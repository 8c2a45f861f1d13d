/** Where a connection to the target goes, and the local address that it is bound to. */
import { Socket, type SocketConstructorOpts } from "node:net";

/** `origin`: `http://host[:port]`; `from`: the client address to send from, where that can be chosen. */
export function endpointOf(origin: string, from: string) {
  const { hostname, port } = new URL(origin);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  // The kit can choose among loopback addresses only.
  const bound = isLoopback(hostname) ? { localAddress: from } : {};
  return { host, port: port === "" ? 80 : Number(port), ...bound };
}

/** Whether it is an IPv4 loopback address: the kit's own client addresses reach no others. */
export function isLoopback(hostname: string): boolean {
  return /^127(\.\d+){3}$/.test(hostname);
}

/** What every connection reads into, one at a time: pieces of one read each would be most of the runner's garbage. */
const buffer = Buffer.alloc(64 * 1024);

type Done = (error?: Error | null) => void;

/**
 * A target that answers early and closes has its system reset the connection, and the next write fails. Node's socket
 * would be destroyed by that, with the answer still unread in the system's buffer. This one drops what it cannot send;
 * reading then ends with the answer, or with the fault.
 */
export class ReadingSocket extends Socket {
  #isBroken = false;

  /** `hear`: called with each piece, which stays as it is during the call alone. */
  constructor(hear: (piece: Buffer) => void, options: SocketConstructorOpts = {}) {
    const callback = (bytes: number): boolean => {
      hear(buffer.subarray(0, bytes));
      return true;
    };
    // Node's types know `onread` of what makes a socket and connects it, only.
    super({ ...options, onread: { buffer, callback } } as SocketConstructorOpts);
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
      // While it connects nothing can be read, and this error says that nobody listens.
      const isLost = error != null && this.readable && !this.connecting;
      if (isLost) this.#isBroken = true;
      done(isLost ? null : error);
    };
  }
}
