/** Hostile targets: they start like the kit's own plugin, so the runner accepts them, and then attack the runner. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { specialRoutes } from "../../targets/standard-routes.ts";
import { perStart, withHandler } from "../changes.ts";
import { subjectId, type Change } from "../subject.ts";

/**
 * Which requests are attacked: those of the cases (the probe's route stays correct, so the target always looks
 * healthy), every third of those, or everything from the first case on.
 */
type Extent = "cases" | "every third" | "everything";

export interface Hostile {
  readonly id: string;
  /** What the target does, and how a runner that trusts it would suffer. */
  readonly does: string;
  readonly change: Change;
  /** Required cases of the short run that may pass, as they rest on what the target does right. */
  readonly mayPass?: readonly string[];
  /** The target breaks no clause: the runner must survive it, and the verdict may be good. */
  readonly harmless?: true;
  /** Judged by whole runs only: it ends or floods its own process, or a few cases do not show what it does. */
  readonly wholeRunOnly?: true;
  /** The target is never judged: exit 3. */
  readonly unjudged?: true;
}

/** Targets by what they do, of which their ids are made; `more`: what else is to be known of them. */
export const attacking = <Attack>(
  change: (attack: Attack) => Change,
  table: Readonly<Record<string, Attack>>,
  more: Omit<Partial<Hostile>, "id" | "does" | "change"> = {},
): Hostile[] =>
  Object.entries(table).map(([does, attack]) => ({ id: subjectId(does), does, change: change(attack), ...more }));

export type OnSocket = (socket: Socket) => void;

/** Answers a request to a route in place of the plugin. */
export type OnRequest = (request: IncomingMessage, response: ServerResponse, log: (line: string) => void) => void;

/** Bare bytes behind a request's head. */
export const bytes =
  (answer: OnSocket): OnRequest =>
  ({ socket }) => {
    socket.on("error", () => {});
    answer(socket);
  };

export function hostileRoutes(answer: OnRequest, extent: Extent = "cases"): Change {
  const probePath = `/plugins/webhooks/${specialRoutes.probe.id}`;
  return perStart(({ log }) => {
    let count = 0;
    const isMet = (path: string): boolean => {
      if (path === probePath) return extent === "everything" && count > 0;
      count += 1;
      return extent !== "every third" || count % 3 === 0;
    };
    return withHandler((right, { path }) => async (request, response) => {
      if (!isMet(path)) return right(request, response);
      answer(request, response, log);
      return true;
    });
  });
}

/** The head of an answer, to be ended by what announces its body. */
export const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
export const chunkedHead = `${head}transfer-encoding: chunked\r\n\r\n`;

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
