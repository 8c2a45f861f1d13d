/** Section 4: content types other than application/json let in. */
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import { alsoLetsIn, withStage } from "../../changes.ts";
import type { Subject } from "../../subject.ts";

const typeOf = ({ headers }: IncomingMessage): string => headers["content-type"] ?? "";

const contentType = (id: string, bug: string, lets: (type: string) => boolean): Subject => ({
  id: `content-type-${id}`,
  bug,
  kills: ["REQUEST-CONTENT-TYPE"],
  change: alsoLetsIn("content-type", (request) => lets(typeOf(request))),
});

export const contentTypes: readonly Subject[] = [
  contentType(
    "anywhere",
    "application/json is looked for anywhere in the content type, so a browser can post across origins.",
    (type) => type.includes('"application/json"'),
  ),
  contentType("text", "text/plain is read as JSON, so a browser can post across origins.", (type) =>
    type.startsWith("text/plain"),
  ),
  contentType("form", "A JSON body labelled as a form is read.", (type) => type.includes("urlencoded")),
  contentType("multipart", "A JSON body labelled multipart/form-data is read.", (type) =>
    type.startsWith("multipart/"),
  ),
  contentType("text-json", "Any type that ends in json is read.", (type) => type.endsWith("/json")),
  contentType("suffix", "Types that end in +json are read.", (type) => type.endsWith("+json")),
  {
    id: "content-type-exact",
    bug: "The content type is compared letter by letter, so a charset makes it another type.",
    kills: ["REQUEST-RIGHT"],
    change: withStage("content-type", () => ({ request }) => {
      return typeOf(request) === "application/json" ? undefined : reject("unsupported_media_type");
    }),
  },
];
