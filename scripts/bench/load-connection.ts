/** One connection of `load.ts`: sends a request when the answer to the last one is whole. */
import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";

/** One slice of load. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  /** How long to send. */
  readonly ms: number;
  /** The same request to one route after the other. */
  readonly requests: readonly string[];
  /** Requests that a connection sends to a route before it goes on to the next. */
  readonly perRoute: number;
  /** Requests of each connection before the time starts. */
  readonly before: number;
  /** Heads of requests that are sent before the time starts, from the address of each connection, and never completed. */
  readonly held: readonly string[];
  /** The status that every answer must have. */
  readonly status: number;
  /** The server closes the connection after its answer. */
  readonly reconnects: boolean;
  /** Each connection has a client address of its own; the number of the first. */
  readonly firstAddress: number;
}

const contentLength = /\r\ncontent-length: (\d+)\r\n/i;

/** Where every socket reads into, one at a time. */
const shared = Buffer.alloc(65_536);

export class Connection {
  /** The client's. */
  readonly address: string;
  /** The last answer that was of another length than the one before it. */
  answer = "";
  readonly #load: Load;
  readonly #requests: readonly Buffer[];
  #socket: Socket | undefined;
  #sent = 0;
  #received = "";
  /** Bytes of the last answer. */
  #length = 0;
  #answered: (status: number) => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(load: Load, address: string) {
    this.#load = load;
    this.address = address;
    this.#requests = load.requests.map((text) => Buffer.from(text, "latin1"));
  }

  open(): Promise<void> {
    const { port } = this.#load;
    const onread = { buffer: shared, callback: (bytes: number) => this.#read(bytes) };
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: this.address, noDelay: true, onread }, resolve);
      this.#socket = socket;
      socket.on("error", (error) => {
        reject(error);
        this.#failed(error);
      });
      socket.on("end", () => {
        if (!this.#load.reconnects) this.#failed(new Error("the server closed a connection"));
      });
    });
  }

  /** Sends the head of a request, which asks for 100 Continue: then the server has it. Never sends its body. */
  async hold(head: string): Promise<void> {
    await this.open();
    await this.#answer(Buffer.from(head));
  }

  /** Sends so many requests to the first route, whatever their answers. */
  async sendFirst(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) await this.#answer(this.#requests[0] ?? Buffer.alloc(0));
  }

  #answer(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket?.write(request);
    });
  }

  /** Sends until that time, or until every route is used up. Returns the milliseconds that each answer took. */
  sendUntil(end: number): Promise<number[]> {
    const { status: expected, perRoute, reconnects } = this.#load;
    const latencies: number[] = [];
    let began = 0;
    return new Promise((resolve, reject) => {
      const sendNext = (): void => {
        const request = this.#requests[Math.floor(this.#sent / perRoute)];
        began = performance.now();
        if (began >= end || request === undefined) return resolve(latencies);
        this.#sent += 1;
        this.#socket?.write(request);
      };
      this.#failed = reject;
      this.#answered = (status) => {
        latencies.push(performance.now() - began);
        if (status !== expected) return reject(new Error(`answered ${status}, expected ${expected}`));
        if (!reconnects) return sendNext();
        this.close();
        this.open().then(sendNext).catch(reject);
      };
      sendNext();
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #read(bytes: number): boolean {
    // Nearly every answer is as long as the one before it: no need to parse it.
    if (this.#received === "" && bytes === this.#length) {
      this.#answered(Number(shared.toString("latin1", 9, 12)));
      return true;
    }
    this.#received += shared.toString("latin1", 0, bytes);
    const head = this.#received.indexOf("\r\n\r\n");
    if (head === -1) return true;
    const status = Number(this.#received.slice(9, 12));
    const length = status === 100 ? 0 : contentLength.exec(this.#received.slice(0, head + 2))?.[1];
    if (length === undefined) this.#failed(new Error("an answer has no Content-Length"));
    this.#length = head + 4 + Number(length);
    if (this.#received.length < this.#length) return true;
    this.answer = this.#received;
    this.#received = "";
    this.#answered(status);
    return true;
  }
}
