/** Sections 4, 5 and 8: products of a way to break a check and a condition on the request or its route, with what sees them. */
import { withStage } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { failing, type Subject } from "../../subject.ts";

const chosen: readonly Subject[] = chosenProducts([
  [
    "the rate-limit check left out",
    ["on a route with a configured path", "for chunked bodies", "with Expect", "for HTTP/1.0"],
    "RATE-EVERY-REQUEST",
  ],
  ["a request that method refuses is counted", ["for GET", "for DELETE", "for HEAD"], "RATE-EVERY-REQUEST"],
  ["a request that content-type refuses is counted", ["without a content type"], "RATE-EVERY-REQUEST"],
  ["the authentication before the rate limit", ["for chunked bodies", "with Basic credentials"], "RATE-EVERY-REQUEST"],
  [
    "the in-flight check left out",
    ["on a route with a configured path", "for chunked bodies"],
    "IN-FLIGHT-EVERY-REQUEST",
  ],
  [
    "a body of any size read",
    ["on a route with a configured path", "for HTTP/1.0", "with Expect", "later on its connection"],
    "REQUEST-BODY",
  ],
  [
    "no time limit for a body",
    ["on a route with a configured path", "later on its connection"],
    "BODY-TIME-EVERY-REQUEST",
  ],
  ["5 s for a body", ["on a route with a configured path", "for HTTP/1.0"], "BODY-TIME-EVERY-REQUEST"],
  ["a slot that is never freed", ["on a route with a configured path", "with Expect"], "IN-FLIGHT-EVERY-REQUEST"],
  [
    "the method check left out",
    ["on a route with a configured path", "for chunked bodies", "with the product header"],
    "REQUEST-METHOD",
  ],
  ["the method check left out", ["for PUT"], "METHOD-PUT"],
  ["the method check left out", ["for DELETE"], "REQUEST-METHOD"],
  ["the action done though method refused", ["for PUT"], "REQUEST-METHOD"],
  [
    "the content-type check left out",
    ["on a route with a configured path", "for HTTP/1.0", "without a content type"],
    "REQUEST-CONTENT-TYPE",
  ],
  ["the action done though content-type refused", ["without a content type"], "REQUEST-CONTENT-TYPE"],
  [
    "the authentication check left out",
    ["on a route with a controllerId of its own", "for chunked bodies", "with Expect", "for HTTP/1.0", "with a query"],
    "REQUEST-SECRET",
  ],
  ["the body read before the authentication", ["with the product header"], "REQUEST-SECRET"],
  ["the action done though authentication refused", ["with the product header"], "REQUEST-SECRET"],
  ["invalid_request for a right request", ["on a route with a configured path"], "REQUEST-RIGHT"],
]);

export const requests: readonly Subject[] = [
  ...chosen,
  ...failing("RATE-EVERY-REQUEST", {
    "Routes without their secret have no rate limit": withStage("rate-limit", (exchange, right) =>
      typeof exchange.context.route.secret === "string" ? right() : undefined,
    ),
  }),
];
