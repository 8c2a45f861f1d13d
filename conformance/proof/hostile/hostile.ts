/** Hostile targets: they start like the kit's own plugin, so the runner accepts them, and then attack the runner. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { specialRoutes } from "../../targets/standard-routes.ts";
import { perStart, withHandler } from "../changes.ts";
import { idOf, type Change } from "../subject.ts";

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
  Object.entries(table).map(([does, attack]) => ({ id: idOf(does), does, change: change(attack), ...more }));

/** Answers on the bare socket. */
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

/** The plugin with hostile routes. */
export function routes(answer: OnRequest, extent: Extent = "cases"): Change {
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
