/** Section 4: methods other than POST and content types other than application/json let in, or not answered. */
import type { IncomingMessage } from "node:http";
import { accept, reject } from "../../../../plugin/answer.ts";
import { alsoLetsIn, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

const letsMethod = (isLetIn: (request: IncomingMessage) => boolean): Change => alsoLetsIn("method", isLetIn);

/** Some requests are answered with 200, as a sign of life or for a preflight. */
const answers = (isAnswered: (request: IncomingMessage) => boolean): Change =>
  withStage("method", (exchange, right) => (isAnswered(exchange.request) ? accept({}) : right()));

const letsType = (isLetIn: (type: string) => boolean): Change =>
  alsoLetsIn("content-type", ({ headers }) => isLetIn(headers["content-type"] ?? ""));

export const methods: readonly Subject[] = [
  ...failing("REQUEST-METHOD", letsMethod, {
    "PATCH is taken for POST": ({ method }) => method === "PATCH",
    "Methods that nobody thought of are taken for POST": ({ method }) => method === "QUERY",
    "Any method is taken for POST where the URL says so": ({ url = "" }) => url.includes("_method=POST"),
    "GET with a body is taken for POST where a header says so": ({ method, headers }) =>
      method === "GET" && headers["x-http-method-override"] === "POST",
    "The method is taken from a header in which proxies keep the one that they got": ({ headers }) =>
      headers["x-original-method"] === "POST",
  }),
  ...failing(["REQUEST-METHOD", "METHOD-GET"], answers, {
    "GET is answered with 200, as a sign of life": ({ method }) => method === "GET",
  }),
  ...failing("REQUEST-METHOD", answers, {
    "HEAD is answered with 200, as a sign of life": ({ method }) => method === "HEAD",
  }),
  ...failing("METHOD-OPTIONS", answers, {
    "OPTIONS is answered with 200, unless it is a preflight": ({ method, headers }) =>
      method === "OPTIONS" && headers["access-control-request-method"] === undefined,
  }),
  ...failing("METHOD-OPTIONS-PREFLIGHT", answers, {
    "The framework answers a browser's OPTIONS by itself and lets every page in": ({ method, headers }) =>
      method === "OPTIONS" && headers["access-control-request-method"] !== undefined,
  }),
  ...failing(["ENVELOPE-HEAD-EMPTY", "REQUEST-METHOD"], {
    "HEAD is not answered: the connection is closed": withStage("method", ({ request }, right) => {
      if (request.method !== "HEAD") return right();
      request.socket.destroy();
      return "aborted";
    }),
  }),
  ...failing("REQUEST-CONTENT-TYPE", letsType, {
    "application/json is looked for anywhere in the content type, so a browser can post across origins": (type) =>
      type.includes('"application/json"'),
    "text/plain is read as JSON, so a browser can post across origins": (type) => type.startsWith("text/plain"),
    "A JSON body labelled as a form is read": (type) => type.includes("urlencoded"),
    "A JSON body labelled multipart/form-data is read": (type) => type.startsWith("multipart/"),
    "Any type that ends in json is read": (type) => type.endsWith("/json"),
    "Types that end in +json are read": (type) => type.endsWith("+json"),
    "Of a list of types the first one counts": (type) => type.startsWith("application/json,"),
  }),
  ...failing("REQUEST-RIGHT", {
    "The content type is compared letter by letter, so a charset makes it another type": withStage(
      "content-type",
      ({ request }) =>
        request.headers["content-type"] === "application/json" ? undefined : reject("unsupported_media_type"),
    ),
  }),
];
