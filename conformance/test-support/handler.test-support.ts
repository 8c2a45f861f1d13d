/** Handlers that check the secret, keep the in-flight limit and accept every action. A trick makes one misbehave. */
import type { IncomingMessage } from "node:http";
import type { HandlerFactory } from "../targets/in-process.ts";

/**
 * - `blind`: one in-flight limit for all client addresses; `blind-rate`: one rate limit for all of them
 * - `frees-late`: of eight requests that were broken off each keeps its slot until another request is refused
 * - `creates-once`: closes the connection of each create_flow but the first
 * - `no-envelope`: answers without the envelope; `answers-once`: the same, and only the first request
 */
type Trick = "blind" | "blind-rate" | "frees-late" | "creates-once" | "no-envelope" | "answers-once";

const countIn = (counts: Map<string, number>, key: string, more: number): number =>
  counts.set(key, (counts.get(key) ?? 0) + more).get(key) ?? 0;

const actionOf = async (request: IncomingMessage): Promise<unknown> => {
  const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  return /"action":"(\w+)"/.exec(text)?.[1];
};

export function handlerWith(...tricks: readonly Trick[]): HandlerFactory {
  const has = (trick: Trick) => tricks.includes(trick);
  return ({ config, enabled }) => {
    const routes = new Map(
      Object.entries(enabled ? config.routes : {}).map(([id, route]) => {
        return [route["path"] ?? `/plugins/webhooks/${id}`, { id, secret: route["secret"] }];
      }),
    );
    const [inFlight, seen] = [new Map<string, number>(), new Map<string, number>()];
    /** Of the trick `frees-late`: keys that have had eight requests in flight, and what frees their slots. */
    const [full, late] = [new Set<string>(), [] as (() => void)[]];
    let [flows, answers] = [0, 0];
    return async (request, response) => {
      const { url = "" } = request;
      if (has("no-envelope") || (has("answers-once") && answers++ === 0)) return response.end("hello");
      if (has("answers-once")) return undefined;
      const route = routes.get(url);
      if (route === undefined) return false;
      const answer = (status: number, more: object) => {
        response.writeHead(status, { "content-type": "application/json" });
        return response.end(JSON.stringify({ routeId: route.id, result: {}, ...more }));
      };
      const refuse = (status: number, code: string) => answer(status, { ok: false, code, error: "no" });
      if (has("blind-rate") && countIn(seen, url, 1) > 120) return refuse(429, "rate");
      const key = has("blind") ? url : `${url} ${request.socket.remoteAddress}`;
      const free = () => void countIn(inFlight, key, -1);
      const count = countIn(inFlight, key, 1);
      if (count === 8) full.add(key);
      if (count > 8) {
        free();
        late.shift()?.();
        return refuse(429, "busy");
      }
      response.on("close", () =>
        has("frees-late") && !request.complete && full.has(key) ? void late.push(free) : free(),
      );
      if (request.headers.authorization !== `Bearer ${String(route.secret)}`) return refuse(401, "unauthorized");
      const action = await actionOf(request);
      if (has("creates-once") && action === "create_flow" && flows > 0) return response.destroy();
      return answer(200, { ok: true, result: { flow: { flowId: `flow-${++flows}`, revision: 0 } } });
    };
  };
}

export const handler = handlerWith();
