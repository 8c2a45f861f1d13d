/** Over HTTP: a lane of routes and client addresses that nobody else uses. */
import type { Request } from "../../fixtures/request.ts";
import { metadataOfRoutes, secretsOfRoutes } from "../cases/leaks.ts";
import type { Exchange } from "../http/exchange.ts";
import { lanes } from "../target/standard-routes.ts";
import type { Trial } from "../trial.ts";
import type { Executor, HeldRequest } from "./executor.ts";

/** Between two runs on one lane: what the one changed last is older than all that the other does, ms. */
const APART_MS = 20;

/** Hands out executors, each on the lane that was idle longest. */
export function httpExecutors(trial: Trial): () => Promise<Executor> {
  let turn = 0;
  return async () => {
    const lane = lanes[turn++ % lanes.length];
    if (lane === undefined) throw new Error("the standard configuration has no lanes");
    if (turn > lanes.length && turn % lanes.length === 1) await trial.pass(APART_MS);
    return httpExecutor(trial, lane);
  };
}

function httpExecutor(trial: Trial, lane: (typeof lanes)[number]): Executor {
  const addresses = new Map<number, string>();
  const from = (client: number): string => {
    const address = addresses.get(client) ?? trial.freshAddress();
    addresses.set(client, address);
    return address;
  };
  const capabilities = trial.instance.control?.capabilities;
  const routes = {
    route: trial.routeOf(lane.route),
    sibling: trial.routeOf(lane.sibling),
    stranger: trial.routeOf(lane.stranger),
  };
  return {
    routes,
    treasures: [...metadataOfRoutes(trial, ...Object.values(routes)), ...secretsOfRoutes(...Object.values(routes))],
    product: trial.product,
    driven: trial.driven,
    send: (request: Request, client: number): Promise<Exchange> => trial.send(request, from(client)),
    async hold(request, client): Promise<HeldRequest> {
      const upload = await trial.upload(request, { from: from(client) });
      await upload.write(request.body.byteLength - 1);
      return {
        finish: () => trial.finish(upload),
        abort: () => upload.abort(),
        get answered() {
          return upload.answered;
        },
      };
    },
    barrier: () => trial.barrier(),
    now: () => trial.now(),
    pass: (ms) => trial.pass(ms),
    ...(capabilities?.has("children") === true && {
      settle: (flowId: string, taskId: string, status: string) => trial.control.settle(flowId, taskId, status),
    }),
    ...(capabilities?.has("persistence") === true && {
      persist: (fail: Parameters<NonNullable<Executor["persist"]>>[0]) => trial.control.persistence(fail),
    }),
  };
}
