/** Section 4: methods other than POST let in, or not answered. */
import { withStage, alsoLetsIn } from "../../changes.ts";
import type { Subject } from "../../subject.ts";

const method = (name: string, bug: string): Subject => ({
  id: `method-${name.toLowerCase()}`,
  bug,
  kills: ["REQUEST-METHOD"],
  change: alsoLetsIn("method", (request) => request.method === name),
});

const answersTo = (name: string, bug: string): Subject => ({
  id: `method-${name.toLowerCase()}`,
  bug,
  kills: name === "OPTIONS" ? ["METHOD-OPTIONS"] : ["REQUEST-METHOD"],
  change: withStage("method", ({ run }) => (exchange) => {
    if (exchange.request.method !== name) return run(exchange);
    return { ok: true, result: {} };
  }),
});

const preflight: Subject = {
  id: "method-options-preflight",
  bug: "The framework answers a browser's OPTIONS by itself and lets every page in.",
  kills: ["METHOD-OPTIONS-PREFLIGHT"],
  change: withStage("method", ({ run }) => (exchange) => {
    const { headers, method: asked } = exchange.request;
    const isPreflight = asked === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    return isPreflight ? { ok: true, result: {} } : run(exchange);
  }),
};

export const methods: readonly Subject[] = [
  preflight,
  {
    id: "method-head-dropped",
    bug: "HEAD is not answered: the connection is closed.",
    kills: ["ENVELOPE-HEAD-EMPTY", "REQUEST-METHOD"],
    change: withStage("method", ({ run }) => (exchange) => {
      if (exchange.request.method !== "HEAD") return run(exchange);
      exchange.request.socket.destroy();
      return "aborted";
    }),
  },
  { ...answersTo("GET", "GET is answered with 200, as a sign of life."), kills: ["REQUEST-METHOD", "METHOD-GET"] },
  answersTo("HEAD", "HEAD is answered with 200, as a sign of life."),
  answersTo("OPTIONS", "OPTIONS is answered with 200, as for a preflight."),
  method("PATCH", "PATCH is taken for POST."),
  method("PROPFIND", "Methods that nobody thought of are taken for POST."),
  {
    id: "method-override-query",
    bug: "Any method is taken for POST where the URL says so.",
    kills: ["REQUEST-METHOD"],
    change: alsoLetsIn("method", ({ url = "" }) => url.includes("_method=POST")),
  },
  {
    id: "method-get-override",
    bug: "GET with a body is taken for POST where a header says so.",
    kills: ["REQUEST-METHOD"],
    change: alsoLetsIn(
      "method",
      ({ method, headers }) => method === "GET" && headers["x-http-method-override"] === "POST",
    ),
  },
  {
    id: "method-original",
    bug: "The method is taken from a header in which proxies keep the one that they got.",
    kills: ["REQUEST-METHOD"],
    change: alsoLetsIn("method", ({ headers }) => headers["x-original-method"] === "POST"),
  },
];
