/** A correct plugin with a hostile control port. */
import type { ServerResponse } from "node:http";
import type { Change, OnControl } from "../subject.ts";
import { ESCAPES } from "./content.ts";
import { attacking, type Hostile, flood } from "./hostile.ts";

const reply = (response: ServerResponse, body: string) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);

/** Answers one call with this text; the real port answers the others. */
const answering =
  (path: string, body: () => string): OnControl =>
  ({ url }, response) => {
    if (url === path) reply(response, body());
    return url === path;
  };

/** Answers one call, or each, without end. */
const endless =
  (path?: string): OnControl =>
  ({ url }, response) => {
    if (path !== undefined && url !== path) return false;
    response.writeHead(200);
    if (response.socket !== null) flood(response.socket, Buffer.from(`10000\r\n${"a".repeat(0x10000)}\r\n`));
    return true;
  };

const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index));
const capabilities = ["clock", "children", "persistence", "sessions", "logs"];
/** The plugin with a hostile control port; the port gives true for the calls that it takes. */
const withControl = (control: OnControl): Change => ({ control });

/** With no use of their control port these are never judged. */
const useless: readonly Hostile[] = attacking(
  withControl,
  {
    "answers the first control call without end": endless(),
    "never answers a control call": () => true,
    "answers control calls with what is no JSON": (_request, response) => (reply(response, `{${ESCAPES}`), true),
    "announces 100,000 canaries to look for": answering("/capabilities", () =>
      JSON.stringify({ capabilities, canaries: many(100_000, (index) => `canary-value-${index}`) }),
    ),
    "redirects control calls to another host": (_request, response) => {
      response.writeHead(307, { location: "http://192.0.2.1/capabilities" }).end();
      return true;
    },
  },
  { unjudged: true },
);

const calling = ["CANCEL-CHILD-ENDED", "LEAK-LOG", "SESSION-SEEDED", "BODY-15-SECONDS"];

/** They spoil the call of one of these cases, or of none. */
const spoiling = (spoilt: string | undefined, table: Readonly<Record<string, OnControl>>): Hostile[] =>
  attacking(withControl, table, { mayPass: calling.filter((id) => id !== spoilt) });

export const controls: readonly Hostile[] = [
  ...useless,
  ...spoiling("BODY-15-SECONDS", {
    "never answers when the clock is moved on": ({ url }) => url === "/clock/advance",
    "answers the moving of the clock with terminal codes": answering("/clock/advance", () => ESCAPES),
  }),
  ...spoiling("SESSION-SEEDED", {
    "gives ids with terminal codes for seeded flows": answering("/flows/seed", () =>
      JSON.stringify({ flowId: `f${ESCAPES}`, revision: 0 }),
    ),
  }),
  ...spoiling("LEAK-LOG", { "gives log lines without end": endless("/logs") }),
  ...spoiling(undefined, {
    "gives log lines with terminal codes, one of them of four million characters": answering("/logs", () =>
      JSON.stringify({ lines: [ESCAPES, "a".repeat(4_000_000), ...many(1000, () => ESCAPES)] }),
    ),
  }).map((subject) => ({ ...subject, harmless: true as const })),
];
