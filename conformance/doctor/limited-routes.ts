/** Tells the limit of a key from one on all requests together. */
import { isAccepted, neutral, type Exchange } from "../http/exchange.ts";

const isLimited = ({ answer }: Exchange): boolean => answer?.status === 429 || answer?.status === 503;

/**
 * The routes of the refusals, if each of them goes on refusing while others are let in: the limit is that of a key. A
 * limit on all requests together refuses, once it is met, whatever the route. `width`: how many were sent at once.
 */
export function limitedRoutes(exchanges: readonly Exchange[], routeCount: number, width: number): string | undefined {
  const first = exchanges.findIndex(isLimited);
  const paths = [...new Set(exchanges.filter(isLimited).map(({ request }) => request.path))];
  const steady = paths.every((path) => {
    const refusals = exchanges.filter(({ request }) => request.path === path).map(isLimited);
    return refusals.lastIndexOf(false) < refusals.indexOf(true);
  });
  // Those sent together with the first refusal may have been let in before it.
  const goesOn = exchanges.slice(first + width).some((exchange) => isAccepted(exchange));
  if (!steady || !goesOn || paths.length > routeCount / 2) return undefined;
  return paths.length === 1 ? `the route ${neutral(paths[0] ?? "")}` : `${paths.length} of ${routeCount} routes`;
}
