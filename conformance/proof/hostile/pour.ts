/** Ways to write to a socket that exhaust the other side. */
import type { Socket } from "node:net";

/** The head of an answer, to be ended by what announces its body. */
export const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
export const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;

/** Writes the same piece without end behind a start. */
export const pour =
  (start: string, piece: string) =>
  (socket: Socket): void => {
    socket.write(start, "latin1");
    flood(socket, Buffer.from(piece, "latin1"));
  };

/** Writes the same piece repeatedly, as fast as it is read, until the connection closes. */
export function flood(socket: Socket, piece: Buffer): { written(): number } {
  let written = 0;
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) written += piece.byteLength;
    written += piece.byteLength;
  };
  socket.on("drain", more);
  more();
  return { written: () => written };
}

/** Writes the pieces slowly, one after the other; a text byte by byte. */
export function drip(socket: Socket, pieces: Iterable<string>, everyMs: number): void {
  const left = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const { done, value } = left.next();
    if (socket.destroyed || done === true) clearInterval(timer);
    else socket.write(value);
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}
