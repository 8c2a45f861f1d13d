/** A flood of keys, one request each: what a target's limits have to track. */
import { spoilt } from "../interface/broken-requests.ts";
import type { RawReply } from "../http/raw.ts";
import { lanes } from "../targets/standard-routes.ts";
import { cheap } from "./limit-keys.ts";
import type { Trial } from "./trial.ts";

/** Connections at the same time. */
const WIDTH = 8;

const laneRoutes = lanes.flatMap(({ route, sibling, stranger }) => [route, sibling, stranger]);

/**
 * One request to each of `count` keys that nobody else uses. Authentication refuses it: cheap, and yet counted. Each
 * address pipelines its requests to all routes over one connection; those left unanswered are sent again one by one.
 */
export async function flood(trial: Trial, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      const from = trial.freshAddress();
      const requests = laneRoutes.slice(0, left).map((route) => {
        const key = { route: trial.routeOf(route), from };
        return spoilt(cheap(trial, key), "AUTH");
      });
      left -= requests.length;
      const answered = answersIn(await trial.pipelined(requests, from));
      for (const request of requests.slice(answered)) await trial.send(request, from);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

const answersIn = ({ bytes }: RawReply): number => bytes.toString("latin1").split("HTTP/1.1 ").length - 1;
