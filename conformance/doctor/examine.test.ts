import { expect, test } from "vitest";
import { gateway, IN_PROCESS, inProcess } from "../test-support/gateway.test-support.ts";
import { handler, handlerWith } from "../test-support/handler.test-support.ts";
import type { Handler, HandlerFactory } from "../targets/in-process.ts";
import { checkTarget, type Target } from "../targets/target-file.ts";
import type { Remark } from "./checks.ts";
import { examine } from "./examine.ts";

async function examined(target: Target) {
  const findings: (Remark & { check: string })[] = [];
  const ready = await examine(target, (check, finding) => void findings.push({ check, ...finding }));
  const of = (name: string) => findings.filter(({ check }) => check === name);
  return { ready, findings, of };
}

/** The handler of the tests, with something done before each request. */
const after =
  (change: (...of: Parameters<Handler>) => unknown): HandlerFactory =>
  async (setup) => {
    const inner = await handler(setup);
    return (request, response) => change(request, response) ?? inner(request, response);
  };

/** Both halves: the kit chooses the port, and the target has to be told. */
const CONTROL_LINE =
  '"control": "http://127.0.0.1:{controlPort}", "start": { "command": [..., "--control-port", "{controlPort}"] }';

test.concurrent("a plain target is ready; what is missing comes with the line to write", async () => {
  const { ready, of, findings } = await examined(
    gateway([], { clientAddresses: undefined, start: { readyTimeoutMs: 60_000 } }),
  );
  expect(ready).toBe(true);
  expect(of("file")).toMatchObject([{ level: "ok" }]);
  expect(of("start")[0]?.text).toMatch(/^ready after \d+\.\d s on http:\/\/127\.0\.0\.1:\d+$/);
  expect(of("routes")).toMatchObject([{ level: "ok", text: expect.stringMatching(/^all 52 routes /) as string }]);
  expect(of("secret")).toEqual([
    { check: "secret", level: "ok", text: "Authorization: Bearer is accepted" },
    {
      check: "secret",
      level: "note",
      text: "x-service-webhook-secret is not accepted",
      write: '"product": "<the word in x-<word>-webhook-secret>"',
    },
  ]);
  expect(of("addresses")[0]).toMatchObject({ level: "ok" });
  expect(of("limits")[0]).toMatchObject({ level: "ok" });
  expect(of("control")[0]).toMatchObject({ level: "note", write: CONTROL_LINE });
  expect(of("coverage")[0]?.write).toMatch(/^"notCovered": \{"SECRET-FILE":"<why>"/);
  expect(of("coverage")[0]?.text).not.toContain("start command");
  expect(of("time")[0]?.text).toMatch(
    /^a whole run: about \d+ (?:s|minutes): \d+ cases, \d+ (?:s|minutes) of waits and starts, /,
  );
  expect(findings.filter(({ level }) => level === "wrong")).toEqual([]);
});

/** Refuses, from its request of this number on, what `key` makes one of. */
const limiting = (most: number, key: (url: string) => string | undefined): HandlerFactory => {
  const counts = new Map<string, number>();
  return after(({ url = "" }, response) => {
    const name = key(url);
    if (name === undefined) return undefined;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return (counts.get(name) ?? 0) > most ? response.writeHead(429).end() : undefined;
  });
};

/** It says its name, and a proxy stands in between. */
const proxied = after((request, response) => {
  const given = request.headers["x-acme-webhook-secret"];
  if (given !== undefined) request.headers.authorization = `Bearer ${String(given)}`;
  void response.setHeader("via", "1.1 front");
});
const yes = after((_, response) => response.writeHead(200).end(JSON.stringify({ ok: true })));
const partly = after((request, response) => {
  void response.setHeader("server", "nginx/1.27.0");
  return request.url?.includes("lane-07") === true ? false : undefined;
});

type Told = readonly [check: string, level: Remark["level"], text: RegExp];

test.concurrent.each<[string, HandlerFactory, ...Told[]]>([
  [
    "the product's name in the target's own, and a proxy in between",
    proxied,
    ["secret", "note", /"product": "acme"/],
    ["proxy", "note", /via: 1\.1 front/],
  ],
  [
    "a limit on all routes",
    limiting(80, (url) => (url.includes("lane") ? "" : undefined)),
    ["limits", "wrong", /were refused \(429.* by a limit that is not the interface's: lift it/],
  ],
  [
    "a key whose slots do not come free",
    limiting(8, (url) => url),
    [
      "limits",
      "note",
      /were refused \(429.*, all on .*, while other routes accept theirs\. To judge the limits, run: webhooks-/,
    ],
  ],
  [
    "a target that shows no flow, and accepts everything",
    yes,
    ["flows", "wrong", /create_flow shows no object/],
    ["flows", "wrong", /no invalid request is refused/],
  ],
  [
    "routes that do not answer, of a gateway that names itself",
    partly,
    ["routes", "wrong", /no envelope from \S+lane-07, .*lane-07-stranger \(404/],
    ["proxy", "note", /^this is the gateway itself, or a proxy in between \(server: nginx\/1\.27\.0\)/],
  ],
])("%s is told", async (_, makeHandler, ...all) => {
  const { ready, of } = await examined(inProcess({ name: "Acme gateway 1.4" }, makeHandler));
  for (const [check, level, text] of all) {
    const told = of(check).find((remark) => text.test(`${remark.text} ${remark.write ?? ""}`));
    expect(told?.level).toBe(level);
  }
  if (all.some(([, level]) => level === "wrong")) expect(ready).toBe(false);
});

test.concurrent("a limit on one route is noted, with the command that judges it, and the target is ready", async () => {
  const makeHandler = limiting(2, (url) => (url.endsWith("webhooks/lane-07") ? url : undefined));
  const { ready, of } = await examined(inProcess({}, makeHandler));
  expect(of("limits")).toMatchObject([
    { level: "note", text: expect.stringMatching(/2 were refused .* all on the route \S+\/lane-07, while/) as string },
  ]);
  expect(ready).toBe(true);
});

test.concurrent(
  "a target that answers only the probe is asked no further, and nothing is found right of what it did not answer",
  async () => {
    const never = new Promise<boolean>(() => {});
    let unanswered = 0;
    const probed = after((request) => {
      if (request.url?.includes("/probe") === true) return undefined;
      unanswered += 1;
      return never;
    });
    const { ready, findings } = await examined(inProcess({ requestTimeoutMs: 1000 }, probed));
    expect(ready).toBe(false);
    expect(findings.at(-2)).toMatchObject({ check: "start", level: "ok" });
    expect(findings.at(-1)).toMatchObject({ check: "routes", level: "wrong" });
    expect(findings.at(-1)?.text).toMatch(
      /^3 requests were not answered \(POST \/\S+: no whole answer within 1000 ms\): the other checks are left out$/,
    );
    expect(unanswered).toBeLessThan(10);
  },
);

const withoutCold: HandlerFactory = (setup) => {
  const routes = Object.entries(setup.config.routes).filter(([id]) => !id.startsWith("cold"));
  return handler({ ...setup, config: { routes: Object.fromEntries(routes) } });
};

test.concurrent("a route whose secret is missing on purpose, of whatever source, owes no answer", async () => {
  const place = { file: "{stateDir}/{id}" };
  const { of } = await examined(inProcess({ secretSources: { file: place, exec: place, store: place } }, withoutCold));
  expect(of("routes")).toMatchObject([{ level: "ok", text: expect.stringMatching(/^all 55 routes /) as string }]);
});

const inlineOnly: HandlerFactory = (setup) => {
  const { routes } = setup.config;
  for (const [id, route] of Object.entries(routes)) if (!id.endsWith("-sibling")) route["secret"] = "unread";
  return handler(setup);
};

test.concurrent(
  "a secret that is not read from the environment is told from one that is not accepted at all",
  async () => {
    const { ready, of } = await examined(inProcess({}, inlineOnly));
    expect(ready).toBe(false);
    expect(of("secret").at(-1)?.text).toMatch(/SecretRef of source env is not/);
  },
);

test.concurrent("one limit for all addresses, and no envelope at all", async () => {
  const blind = await examined(inProcess({ clientAddresses: undefined }, handlerWith("blind")));
  expect(blind.of("addresses")[0]).toMatchObject({ level: "note" });
  expect(blind.of("addresses")[0]?.text).toContain("treats all client addresses as one");
  const hello = await examined(
    inProcess({ start: { ...IN_PROCESS, readyTimeoutMs: 1000 } }, handlerWith("no-envelope")),
  );
  expect(hello.ready).toBe(false);
  expect(hello.of("start")[0]).toMatchObject({ level: "wrong", write: expect.stringContaining("entryId") as string });
});

const start = { command: ["no-such-program-of-anybody"] };

test.concurrent.each<[string, Target, RegExp, RegExp | undefined]>([
  [
    "a program that is not there",
    checkTarget({ name: "x", start }, ".", "x"),
    /could not be run/,
    /"command": \["<program>/,
  ],
  ["one that ends", gateway(["exit-at-start"]), /exit code 3\)\. Its output, .*refusing to start/, undefined],
  ["one that never listens", gateway(["never-listens"], { start: { readyTimeoutMs: 300 } }), /no HTTP/, /MS": 600/i],
  [
    "a control port that is none",
    gateway([], { control: "http://127.0.0.1:{controlPort}" }),
    /control port/,
    /"control"/,
  ],
  ["secrets in its last words", gateway(["chatty"]), /\$\{WEBHOOKS_SECRET_LANE_12\}/, undefined],
])("a target that does not start is told with what to write: %s", async (_, target, text, write) => {
  const { ready, of } = await examined(target);
  expect(ready).toBe(false);
  const found = of("start")[0];
  expect(found?.text).toMatch(text);
  expect(found?.text).not.toContain("whsec-");
  if (write === undefined) expect(found?.write).toBeUndefined();
  else expect(found?.write).toMatch(write);
});

test.concurrent("a command that is told no port is seen before anything starts", async () => {
  const { of } = await examined(checkTarget({ name: "x", start }, ".", "x"));
  expect(of("file").map(({ write }) => write)).toEqual([
    '"start": { "command": [..., "--config", "{config}"] }',
    '"start": { "command": [..., "--port", "{port}"] }',
  ]);
});
