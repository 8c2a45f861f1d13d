/** Section 4: content types other than application/json let in. */
import { reject } from "../../../../plugin/answer.ts";
import { alsoLetsIn, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

const lets = (isLetIn: (type: string) => boolean): Change =>
  alsoLetsIn("content-type", ({ headers }) => isLetIn(headers["content-type"] ?? ""));

export const contentTypes: readonly Subject[] = [
  ...failing("REQUEST-CONTENT-TYPE", lets, {
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
