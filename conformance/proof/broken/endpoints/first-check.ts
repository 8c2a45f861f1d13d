/** Section 4: the check of method and content type gone wrong. */
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import { withStage, type StageName } from "../../changes.ts";
import type { Change, Subject } from "../../subject.ts";

/** Lets more requests through a stage. */
const alsoLetsIn = (name: StageName, lets: (request: IncomingMessage) => boolean): Change =>
  withStage(
    name,
    ({ run }) =>
      (exchange) =>
        lets(exchange.request) ? undefined : run(exchange),
  );

const typeOf = ({ headers }: IncomingMessage): string => headers["content-type"] ?? "";

const method = (name: string, bug: string): Subject => ({
  id: `method-${name.toLowerCase()}`,
  bug,
  kills: [`METHOD-${name}`],
  change: alsoLetsIn("method", (request) => request.method === name),
});

const answersTo = (name: string, bug: string): Subject => ({
  id: `method-${name.toLowerCase()}`,
  bug,
  kills: [`METHOD-${name}`],
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

const contentType = (id: string, kill: string, bug: string, lets: (type: string) => boolean): Subject => ({
  id: `content-type-${id}`,
  bug,
  kills: [`CONTENT-TYPE-${kill}`],
  change: alsoLetsIn("content-type", (request) => lets(typeOf(request))),
});

export const firstCheck: readonly Subject[] = [
  preflight,
  {
    id: "method-head-dropped",
    bug: "HEAD is not answered: the connection is closed.",
    kills: ["ENVELOPE-HEAD-EMPTY", "METHOD-HEAD"],
    change: withStage("method", ({ run }) => (exchange) => {
      if (exchange.request.method !== "HEAD") return run(exchange);
      exchange.request.socket.destroy();
      return "aborted";
    }),
  },
  answersTo("GET", "GET is answered with 200, as a sign of life."),
  answersTo("HEAD", "HEAD is answered with 200, as a sign of life."),
  answersTo("OPTIONS", "OPTIONS is answered with 200, as for a preflight."),
  method("PUT", "PUT is taken for POST."),
  method("PATCH", "PATCH is taken for POST."),
  method("DELETE", "DELETE is taken for POST."),
  method("PROPFIND", "Methods that nobody thought of are taken for POST."),
  {
    id: "method-override-header",
    bug: "Any method is taken for POST where X-HTTP-Method-Override says so.",
    kills: ["METHOD-OVERRIDDEN"],
    change: alsoLetsIn("method", ({ headers }) => headers["x-http-method-override"] === "POST"),
  },
  {
    id: "method-override-query",
    bug: "Any method is taken for POST where the URL says so.",
    kills: ["METHOD-OVERRIDDEN"],
    change: alsoLetsIn("method", ({ url = "" }) => url.endsWith("?_method=POST")),
  },
  contentType(
    "anywhere",
    "PARAMETER",
    "application/json is looked for anywhere in the content type, so a browser can post across origins.",
    (type) => type.includes('"application/json"'),
  ),
  contentType("text", "TEXT-PLAIN", "text/plain is read as JSON, so a browser can post across origins.", (type) =>
    type.startsWith("text/plain"),
  ),
  contentType("form", "FORM", "A JSON body labelled as a form is read.", (type) => type.includes("urlencoded")),
  contentType("multipart", "MULTIPART", "A JSON body labelled multipart/form-data is read.", (type) =>
    type.startsWith("multipart/"),
  ),
  contentType("text-json", "OTHER-JSON", "Any type that ends in json is read.", (type) => type.endsWith("/json")),
  contentType("prefix", "JSON-PREFIX", "Any type that begins with application/json is read.", (type) =>
    type.startsWith("application/json"),
  ),
  contentType("suffix", "SUFFIX", "Types that end in +json are read.", (type) => type.endsWith("+json")),
  contentType("missing", "MISSING", "A request without a content type is read.", (type) => type === ""),
  {
    id: "content-type-exact",

    bug: "The content type is compared letter by letter, so a charset makes it another type.",
    kills: ["CONTENT-TYPE-CHARSET"],
    change: withStage("content-type", () => ({ request }) => {
      return typeOf(request) === "application/json" ? undefined : reject("unsupported_media_type");
    }),
  },
];
