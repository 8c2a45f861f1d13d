/** A handler that checks the secret, ignores method and body, and accepts every action. */
import type { HandlerFactory } from "../targets/in-process.ts";

export const handler: HandlerFactory = ({ config, enabled }) => {
  const routes = new Map(
    Object.entries(enabled ? config.routes : {}).map(([id, route]) => {
      return [route["path"] ?? `/plugins/webhooks/${id}`, { id, secret: route["secret"] }];
    }),
  );
  let flows = 0;
  return async (request, response) => {
    const route = routes.get(request.url ?? "");
    if (route === undefined) return false;
    const answer = (status: number, more: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      return response.end(JSON.stringify({ routeId: route.id, result: {}, ...more }));
    };
    if (request.headers.authorization !== `Bearer ${String(route.secret)}`)
      return answer(401, { ok: false, code: "unauthorized", error: "no" });
    await request.toArray();
    return answer(200, { ok: true, result: { flow: { flowId: `flow-${++flows}`, revision: 0 } } });
  };
};
