/** Sections 4 and 8: what stands in a body, gone wrong. */
import { Buffer } from "node:buffer";
import { alsoParses, together, withCall, withFlows, withLimits, withRequest, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";
import { rereads } from "./body-reading.ts";

/** Texts that are no JSON are mended. */
const mends = (mend: (text: string) => string): Change =>
  alsoParses((text) => {
    const json = mend(text);
    if (json === text) throw new SyntaxError("nothing to mend");
    return JSON.parse(json);
  });

/** Bodies of one kind end in an internal error. */
const chokesOn = (kind: (text: string) => boolean): Change =>
  rereads((bytes) => {
    if (kind(bytes.toString("utf8"))) throw new TypeError("cannot read properties of a body");
    return bytes;
  });

/** Turns an action that is no string into one. */
const actionFrom = (read: (action: unknown, names: readonly string[]) => unknown): Change =>
  withRequest((body, { parts }) => {
    const names = parts.actions.map(({ name }) => name);
    return "action" in body ? { ...body, action: read(body["action"], names) as string } : body;
  });

export const isDeep = (value: unknown): boolean => {
  let item = value;
  for (let depth = 0; Array.isArray(item); depth += 1, item = item[0]) if (depth > 100) return true;
  return false;
};

export const body: readonly Subject[] = [
  ...failing("BODY-SHAPES", alsoParses, {
    "A body that breaks off is completed by guesswork": (text) => JSON.parse(`${text}}`),
    "Parsing stops at the end of the first object; what follows is ignored": (text) =>
      JSON.parse(text.slice(0, text.indexOf("}") + 1)),
    "A body that is no JSON is read as a form": (text) => Object.fromEntries(new URLSearchParams(text)),
    "Of a list of requests the first is carried out": (text) => (JSON.parse(text) as unknown[])[0],
    "A body that is a JSON text is parsed once more": (text) => JSON.parse(JSON.parse(text) as string),
  }),
  ...failing(["BODY-SHAPES", "NEVER-5XX"], chokesOn, {
    "An empty body ends in an internal error": (text) => text === "",
    "A body that is a JSON text ends in an internal error": (text) => text.startsWith('"'),
    "The body null ends in an internal error": (text) => text === "null",
    "A body that is a number ends in an internal error": (text) => /^-?\d/.test(text),
    "A body that is true ends in an internal error": (text) => text === "true",
  }),
  ...failing("BODY-SHAPES", actionFrom, {
    "An action given as a number is taken as a place in the list of actions": (action, names) =>
      typeof action === "number" ? names[action - 1] : action,
    "An action given as a list is turned into a text": (action) => (Array.isArray(action) ? String(action) : action),
  }),
  ...failing("BODY-JSON-GRAMMAR", mends, {
    "Comments are taken for JSON": (text) => text.replaceAll(/\/\*.*?\*\/|\/\/.*\n/g, ""),
    "Texts in single quotes are taken for JSON": (text) => (text.includes('"') ? text : text.replaceAll("'", '"')),
    "Commas behind the last member are taken for JSON": (text) => text.replaceAll(/,(?=[}\]])/g, ""),
    "NaN and Infinity are taken for JSON": (text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "null"),
    "Line breaks in texts are taken for JSON": (text) => text.replaceAll("\n", String.raw`\n`),
  }),
  ...failing("BODY-JSON-GRAMMAR", rereads, {
    // A reader whose table of escapes has no solidus.
    "The escape of a solidus is refused": (bytes) => (bytes.includes(String.raw`\/`) ? Buffer.from("{") : bytes),
  }),
  ...failing("BODY-ODD-JSON", rereads, {
    "A body that is nested deeply ends the connection without an answer": (bytes, { request }) => {
      if (!bytes.includes("[".repeat(1000))) return bytes;
      request.socket.destroy();
      return "aborted";
    },
  }),
  ...failing("BODY-ODD-JSON", {
    "A goal with half of a pair of surrogates is stored, and no list that it is in can be written any more": withCall(
      "list",
      async (_input, flows) => {
        const list = await flows.list();
        for (const { goal } of list) encodeURIComponent(goal);
        return list;
      },
    ),
  }),
  ...failing("BODY-DEEP-STATE", {
    "State that is nested deeply is stored, and a flow that has it can be written into no answer": together(
      withLimits({ jsonDepth: 1_000_000 }),
      withFlows((flows) => {
        const lost = new Set<string>();
        return {
          setWaiting: (input) => {
            if (isDeep(input.stateJson)) lost.add(input.flowId);
            return flows.setWaiting(input);
          },
          get: (flowId) => {
            if (lost.has(flowId)) throw new RangeError("Maximum call stack size exceeded");
            return flows.get(flowId);
          },
        };
      }),
    ),
  }),
  ...failing("BODY-QUERY-NO-FIELDS", {
    "Fields in the URL's query count before those of the body": withStage("action", (exchange, right) => {
      const { searchParams } = new URL(exchange.request.url ?? "", "http://gateway");
      const named = [...searchParams].filter(([name]) => name === "action" || name === "goal");
      return right({ ...exchange, body: { ...exchange.body, ...Object.fromEntries(named) } });
    }),
  }),
];
