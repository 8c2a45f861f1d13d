/** The gateway's exact routes: how a plugin adds one, and how a request finds its handler. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpRoute, Logger } from "../plugin/ports.ts";
import { messageOf } from "./errors.ts";

export type Routes = Map<string, HttpRoute>;

/** What `registerHttpRoute` does. Throws for a path that is invalid or taken, and for a match that is not exact. */
export function addRoute(routes: Routes, route: HttpRoute): void {
  const { path, replaceExisting } = route;
  const match: string = route.match;
  if (typeof path !== "string" || !path.startsWith("/")) throw new TypeError("a route's path must start with /");
  if (match !== "exact") throw new TypeError(`the route ${path} wants match ${match}: only exact is served here`);
  if (routes.has(path) && !replaceExisting) throw new Error(`the route ${path} exists already`);
  routes.set(path, route);
}

/** Lets the route's handler answer; 404 where there is none, 500 where it throws. Never rejects. */
export async function answerRequest(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  logger: Required<Logger>,
): Promise<void> {
  try {
    const route = routes.get(pathOf(request.url ?? ""));
    const answered = route !== undefined && (await route.handler(request, response));
    if (!answered && !response.headersSent) plain(response, 404, "Not Found");
  } catch (error) {
    logger.error(`a handler threw: ${messageOf(error)}`);
    if (response.headersSent) response.destroy();
    else plain(response, 500, "Internal Server Error");
  }
}

/** The path as sent: normalising it would let one route be reached under several paths. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  const query = path.indexOf("?");
  return query === -1 ? path : path.slice(0, query);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("content-type", "text/plain; charset=utf-8").end(`${text}\n`);
}
