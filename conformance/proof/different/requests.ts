/** Odd requests whose treatment the interface leaves open. */
import { gunzipSync } from "node:zlib";
import { reject } from "../../../plugin/answer.ts";
import { readAlone } from "../broken/service/bad-configuration.ts";
import { isDeep } from "../broken/endpoints/body.ts";
import { rereads } from "../broken/endpoints/body-reading.ts";
import { together, withLimits, withReply, withRequest, withStage, withRefusals } from "../changes.ts";
import { productHeader } from "../lets-in.ts";
import { lawful, type Change, type Different } from "../subject.ts";

const MAX_BYTES = 262_144;

/** State so deep that no recursive serializer can write it. */
const DEEP = "nested deeply";
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

/** How many times a request has a header. */
const count = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

/** A route without its secret gives its 401 in place of what this check says. */
const coldRefusalAt = (name: "method" | "content-type"): Change =>
  withRefusals(
    (refusal, { context }) => (typeof context.route.secret === "string" ? refusal : reject("unauthorized")),
    name,
  );

export const requests: readonly Different[] = [
  ...lawful({
    "cancel_flow takes no notice of an expectedRevision: the interface shows no such field of it": withRequest(
      (body) => {
        const { expectedRevision: _revision, ...others } = body;
        return body["action"] === "cancel_flow" ? others : body;
      },
    ),
    "every request to a route without its secret gets the 401, also one that is no POST or has another type": together(
      coldRefusalAt("method"),
      coldRefusalAt("content-type"),
    ),
    "an object with a name that is there twice is refused": withStage("body", async (exchange, right) => {
      const outcome = await right();
      const goal = exchange.body?.["goal"];
      return outcome ?? (goal === "second" || goal === "twice" ? reject("invalid_request") : undefined);
    }),
    "a compressed body is inflated, within the size limit; of any other a byte order mark is skipped": rereads(
      (bytes, { request: { headers } }) => {
        const isMarked = bytes.subarray(0, 3).equals(Buffer.from("\ufeff"));
        if (headers["content-encoding"] !== "gzip") return isMarked ? bytes.subarray(3) : bytes;
        try {
          return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
        } catch {
          return "too-large";
        }
      },
    ),
    "state that is nested deeply is stored and shown": together(
      withLimits({ jsonDepth: 1_000_000 }),
      together(
        withRequest((body) => (isDeep(body["stateJson"]) ? { ...body, stateJson: DEEP } : body)),
        withReply((reply) => ({ ...reply, text: reply.text.replaceAll(JSON.stringify(DEEP), deep) })),
      ),
    ),
    "a request with a header that is there twice is malformed": withStage("authentication", (exchange, right) => {
      const { rawHeaders } = exchange.request;
      const isTwice = ["authorization", productHeader].some((name) => count(rawHeaders, name) > 1);
      return isTwice ? reject("invalid_request") : right();
    }),
    "unknown fields of a route are ignored, bad routes left out, other spellings of a path are other paths": readAlone(
      ({ path, sessionKey, secret }) =>
        sessionKey === undefined || secret === undefined
          ? undefined
          : { ...(path !== undefined && { path }), sessionKey, secret },
    ),
  }),
];
