/** Section 4: a route takes POST alone. */
import { otherMethods } from "../../interface/broken-requests.ts";
import { withBody, withHeader, withMethod, withoutHeader, withPath, type Request } from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, mustRefuse, twin } from "../../harness/checks.ts";

const common = { requests: 12 } as const;

/** Also one that no list of HTTP's own methods has (RFC 4918). */
const methods: readonly Case[] = [...otherMethods, "PROPFIND"].map((method) => ({
  ...common,
  id: `METHOD-${method}`,
  title: `${method} is refused`,
  clauses: ["METHOD-POST"],
  ...(method === "OPTIONS" && { level: "should", reading: "Frameworks answer OPTIONS before a plugin is asked." }),
  async run(trial) {
    twin(await trial.send(trial.right()));
    const request = withMethod(trial.right(), method);
    const bodiless = method === "GET" || method === "HEAD" ? withBody(request, "") : request;
    const exchange = await trial.send(bodiless);
    const status = exchange.answer?.status ?? 0;
    check(status >= 400, "a refusal", describe(exchange), exchange);
  },
}));

/** Frameworks answer a CORS preflight themselves. */
const preflight: Case = {
  ...common,
  id: "METHOD-OPTIONS-PREFLIGHT",
  title: "OPTIONS is refused also as a CORS preflight",
  clauses: ["METHOD-POST"],
  level: "should",
  reading: "A gateway may let pages of other origins in before a plugin is asked; a plugin by itself only takes POST.",
  async run(trial) {
    twin(await trial.send(trial.right()));
    const bare = withBody(withMethod(withoutHeader(trial.right(), "authorization"), "OPTIONS"), "");
    const asked = withHeader(bare, "origin", "https://page.example");
    const exchange = await trial.send(withHeader(asked, "access-control-request-method", "POST"));
    check((exchange.answer?.status ?? 0) >= 400, "a refusal", describe(exchange), exchange);
  },
};

const overridden = ["PUT", "PATCH", "DELETE"];
const overrides = ["x-http-method-override", "x-http-method", "x-method-override"];

/** Headers and parameters that name a method, beside those above. */
const moreOverrides = [...overrides, "x-method", "x-original-method", "x-forwarded-method", "x-rewrite-method"];
const parameters = ["_method", "method", "x-http-method-override", "_METHOD"];

/** Where another method is said to be POST after all. */
const places: readonly (readonly [what: string, put: (request: Request) => Request])[] = [
  ["nowhere", (request) => request],
  ["in headers", (request) => moreOverrides.reduce((put, name) => withHeader(put, name, "POST"), request)],
  [
    "in the query",
    (request) => withPath(request, `${request.path}?${parameters.map((name) => `${name}=POST`).join("&")}`),
  ],
  [
    "in the body",
    (request) => {
      const body = JSON.parse(new TextDecoder().decode(request.body)) as object;
      const named = Object.fromEntries(parameters.map((name) => [name, "POST"]));
      return withBody(request, JSON.stringify({ ...body, ...named }));
    },
  ],
  [
    "in the query, as are the fields",
    (request) => withBody(withPath(request, `${request.path}?action=list_flows&_method=POST`), ""),
  ],
];

const everyMethod = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT", "SEARCH", "LINK"];

export const methodCases: readonly Case[] = [
  ...methods,
  preflight,
  {
    ...common,
    id: "METHOD-OVERRIDDEN",
    title: "Another method is refused also where a header or the URL overrides it with POST",
    clauses: ["METHOD-POST"],
    requests: 18,
    async run(trial) {
      twin(await trial.send(trial.right()));
      let refused = 0;
      for (const method of overridden) {
        const request = withMethod(trial.right(), method);
        // A target that treats the method itself as POST fails that method's own case.
        if (isAccepted(await trial.send(request))) continue;
        refused += 1;
        for (const name of overrides) mustRefuse(await trial.send(withHeader(request, name, "POST")));
        mustRefuse(await trial.send(withPath(request, `${request.path}?_method=POST`)));
      }
      if (refused === 0) throw new Unreached("no other method was refused, so nothing can be seen of what names one");
    },
  },
  {
    ...common,
    id: "METHOD-EVERY-WAY",
    title: "No other method is let in, with a body or without, whatever says that POST was meant",
    clauses: ["METHOD-POST"],
    requests: everyMethod.length * places.length + 3,
    reading:
      "Each request has the right secret, content type and body; a target may close the connection on some. Where the path " +
      "with a query is not the route's, another part of the gateway may answer there, so those rows are left out.",
    async run(trial) {
      twin(await trial.send(trial.right()));
      const visit = everyCell(
        trial,
        everyMethod,
        places.map(([what]) => `POST ${what}`),
      );
      const right = trial.right({ action: "list_flows" });
      const servesQuery = isAccepted(await trial.send(withPath(right, `${right.path}?a=1`)));
      for (const method of everyMethod) {
        for (const [what, put] of places) {
          const request = withMethod(put(right), method);
          if (request.path !== right.path && !servesQuery) continue;
          const connection = trial.connection(1);
          connection.write(trial.wire(request));
          await connection.answered(1, trial.instance.target.requestTimeoutMs);
          const [status] = connection.statuses;
          connection.abort();
          const refused = status === undefined || status >= 400;
          check(refused, `a refusal of ${method} with POST named ${what}`, `${status}`);
          visit(method, `POST ${what}`);
        }
      }
    },
  },
];
