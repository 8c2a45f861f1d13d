/** A correct plugin with a hostile control port. */
import type { ServerResponse } from "node:http";
import { subjectsOf } from "../subject.ts";
import { ESCAPES } from "./content.ts";
import { control, type Hostile } from "./hostile.ts";
import { flood } from "./pour.ts";

const reply = (response: ServerResponse, body: string) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);

/** Answers one call with this text; the real port answers the others. */
const answering = (path: string, body: () => string) =>
  control(({ url }, response) => {
    if (url === path) reply(response, body());
    return url === path;
  });

/** Answers one call, or each, without end. */
const endless = (path?: string) =>
  control(({ url }, response) => {
    if (path !== undefined && url !== path) return false;
    response.writeHead(200);
    if (response.socket !== null) flood(response.socket, Buffer.from(`10000\r\n${"a".repeat(0x10000)}\r\n`));
    return true;
  });

const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index));
const capabilities = ["clock", "children", "persistence", "sessions", "logs"];
const announcing = (more: () => object) =>
  answering("/capabilities", () => JSON.stringify({ capabilities, ...more() }));

/** With no use of their control port these are never judged. */
const useless: readonly Hostile[] = subjectsOf<Omit<Hostile, "unjudged">>({
  "control-endless": { does: "answers the first control call without end", change: endless() },
  "control-silent": { does: "never answers a control call", change: control(() => true) },
  "control-nonsense": {
    does: "answers control calls with what is no JSON",
    change: control((_request, response) => (reply(response, `{${ESCAPES}`), true)),
  },
  "control-deep": {
    does: "announces capabilities a million arrays deep",
    change: answering("/capabilities", () => `{"capabilities":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`),
  },
  "control-capabilities": {
    does: "announces more capabilities than an answer may hold",
    change: announcing(() => ({ capabilities: [...capabilities, ...many(1_000_000, String)] })),
  },
  "control-canaries": {
    does: "announces 100,000 canaries to look for",
    change: announcing(() => ({ canaries: many(100_000, (index) => `canary-value-${index}`) })),
  },
  "control-redirects": {
    does: "redirects control calls to another host",
    change: control((_request, response) => {
      response.writeHead(307, { location: "http://192.0.2.1/capabilities" }).end();
      return true;
    }),
  },
}).map((subject) => ({ ...subject, unjudged: true }));

/** The cases that call the port, but for the call that is answered wrongly. */
const calling = ["CANCEL-CHILD-ENDED", "LEAK-LOG", "SESSION-SEEDED", "BODY-15-SECONDS"];
const without = (...ids: readonly string[]): string[] => calling.filter((id) => !ids.includes(id));

export const controls: readonly Hostile[] = [
  ...useless,
  ...subjectsOf<Hostile>({
    "advance-silent": {
      mayPass: without("BODY-15-SECONDS"),
      does: "never answers when the clock is moved on",
      change: control(({ url }) => url === "/clock/advance"),
    },
    "advance-nonsense": {
      mayPass: without("BODY-15-SECONDS"),
      does: "answers the moving of the clock with terminal codes",
      change: answering("/clock/advance", () => ESCAPES),
    },
    "seeds-hostile": {
      mayPass: without("SESSION-SEEDED"),
      does: "gives ids with terminal codes for seeded flows",
      change: answering("/flows/seed", () => JSON.stringify({ flowId: `f${ESCAPES}`, revision: 0 })),
    },
    "logs-hostile": {
      harmless: true,
      mayPass: calling,
      does: "gives log lines with terminal codes, one of them of four million characters",
      change: answering("/logs", () =>
        JSON.stringify({ lines: [ESCAPES, "a".repeat(4_000_000), ...many(1000, () => ESCAPES)] }),
      ),
    },
    "logs-endless": {
      mayPass: without("LEAK-LOG"),
      does: "gives log lines without end",
      change: endless("/logs"),
    },
  }),
];
