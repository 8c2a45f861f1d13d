/** Ways to find and to compare secrets otherwise. */
import type { IncomingHttpHeaders } from "node:http";
import type { Route } from "../../plugin/config.ts";
import { perStart, together, withPart, withReading, withStage, type Entries } from "./changes.ts";
import type { Change } from "./subject.ts";

/** The product's own header, and the secret in it. */
export const productHeader = "x-service-webhook-secret";
export const ownOf = (headers: IncomingHttpHeaders): string | undefined => headers[productHeader] as string | undefined;

/** Another way to find the secret in the headers. `right`: the correct one. */
export const presents = (
  find: (
    headers: IncomingHttpHeaders,
    right: (headers: IncomingHttpHeaders) => string | undefined,
  ) => string | undefined,
): Change =>
  withPart("presentedSecret", (right) => (headers, product) => find(headers, (read) => right(read, product)));

/** What a request brings, each an empty text where it is absent, and what it could be compared with. */
interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The secret that the correct plugin would compare. */
  readonly presented: string;
  readonly authorization: string;
  /** The product's own header where no other stands beside it. */
  readonly own: string;
  readonly route: Route;
  /** Empty where it could not be resolved. */
  readonly secret: string;
  /** Every route that the plugin has read, and every one that is configured, disabled ones too. */
  readonly routes: readonly Route[];
  readonly entries: Entries;
}

/** A request is let in by one rule more. */
export const letsIn = (rule: (sent: Sent) => boolean): Change =>
  perStart(() => {
    const routes: Route[] = [];
    const entries: Entries = {};
    return together(
      withReading((read, written, config) => {
        Object.assign(entries, written);
        const now = read(config);
        routes.push(...now);
        return now;
      }),
      withStage("authentication", ({ request: { headers, url = "" }, context }, right) => {
        const { parts, product, route } = context;
        const presented = parts.presentedSecret(headers, product) ?? "";
        const authorization = headers.authorization ?? "";
        const own = headers.authorization === undefined ? (ownOf(headers) ?? "") : "";
        const secret = typeof route.secret === "string" ? route.secret : "";
        const sent = { headers, url, presented, authorization, own, route, secret, routes, entries };
        return rule(sent) ? undefined : right();
      }),
    );
  });

/** The same for routes that have their secret. */
export const letsWarmIn = (rule: (sent: Sent) => boolean): Change => letsIn((sent) => sent.secret !== "" && rule(sent));
