/** The printed lines are run by a real bash and curl against a server that keeps what it gets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as fixtures from "../interface/request.ts";
import type { Request } from "../interface/request.ts";
import type { Exchange } from "./exchange.ts";
import { missing, withBashAndCurl } from "./programs.test-support.ts";
import { redactor } from "./redact.ts";
import { replayLine } from "./replay-line.ts";

const secret = "whsec-0a1b2c3d4e5f";
const variable = "WEBHOOKS_SECRET_LANE_01";
const redact = redactor([{ value: secret, variable }]);
const right = fixtures.validRequest({ path: "/plugins/webhooks/lane-01", secret }, { action: "list_flows" });

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** From the first byte of the body to the last, ms. */
  readonly ms: number;
}

const withText = (text: string) => fixtures.withBody(right, text);
const withPath = (path: string) => fixtures.withPath(right, path);
const bodiless = (method: string) => fixtures.withBody(fixtures.withMethod(right, method), "");
const spoiled = fixtures.withHeader(
  withPath(`${right.path}?secret=${secret}&token=${secret}"\\`),
  "authorization",
  `Bearer ${secret}LONGER_1`,
);

/** Requests by name; each arrives as it is. */
const requests: Record<string, Request> = {
  "the right request": right,
  ...Object.fromEntries(
    ["GET", "DELETE", "PURGE"].map((method) => [`method ${method} with a body`, fixtures.withMethod(right, method)]),
  ),
  ...Object.fromEntries(["GET", "POST", "HEAD"].map((method) => [`method ${method} without a body`, bodiless(method)])),
  "a path with dots, empty parts and percent signs": withPath("//a/../b//./c/%2e%2E/%61/"),
  "a query for the shell, with quotes": withPath(`/a?b={1,2}&c=[1-3]&d='$HOME'\`id\`"?\\&*~!`),
  "a secret in the path, before a letter and in the body": fixtures.withBody(
    spoiled,
    `{"secret":"${secret}9","quote":"'\\"$PATH"}`,
  ),
  "headers that come twice, are empty, blank or odd": [
    ["x-one", "1"],
    ["x-one", "2"],
    ["x-empty", ""],
    ["x-blank", "   "],
    ["x-odd", "'$HOME' \"`id`\" \\ ; # ! * @file"],
  ].reduce((request, [name = "", value = ""]) => fixtures.withAnotherHeader(request, name, value), right),
  "the text of a variable, which is no secret": fixtures.withHeader(
    fixtures.withBody(right, `\${${variable}}`),
    "x-text",
    `\${${variable}} and $(printf %s "$${variable}")`,
  ),
  "a secret that is cut short, in the path, a header and the body": fixtures.withBody(
    fixtures.withHeader(withPath(`${right.path}?a=${secret.slice(0, -1)}`), "x-cut", `${secret.slice(2)}.`),
    `{"cut":"${secret.slice(3, -3)}"}`,
  ),
  "no content-type": fixtures.withoutHeader(right, "content-type"),
  "another content-type": fixtures.withHeader(right, "content-type", "text/plain; charset=utf-8"),
  "quotes, dollars, line breaks and tabs in the body": withText(
    '{\r\n\t"a":"it\'s \\"quoted\\"", "b":"$HOME `id` $(id) ${HOME} \\\\ !!"}\n',
  ),
  "a body that curl reads as a file": withText("@/etc/hostname"),
  "percent signs in the body": withText("%s %d %n %%"),
  "a body of white space": withText("  \n "),
  "escape codes, bidi marks and other scripts in the body": withText("\u001b[31m\u202e\u0085 ünïcödé 漢字 🎈"),
  "a body with a leading dash": withText("--next"),
  "a byte order mark in the body": withText("\ufeff{}"),
  "a body padded to 262145 bytes": fixtures.paddedTo(right, 262_145),
  "a body of every byte": fixtures.withBody(
    right,
    Uint8Array.from({ length: 256 }, (_, index) => index),
  ),
  "a body that is not UTF-8": fixtures.withBody(right, Uint8Array.of(0x7b, 0xff, 0x7d, 0x20)),
  "a chunked body": fixtures.chunked(right),
};
const long = "a long body";
const owed = "a body that stays owed";
const owedChunks = "a chunked body that stays owed";
const inTwoParts = "a body in two parts";
/** What else is replayed, and how much of the body was sent, or how it was interrupted. */
const others: Record<string, readonly [Request, Partial<Exchange>?]> = {
  [inTwoParts]: [right, { pause: { bytes: 10, ms: 1500 } }],
  [long]: [withText(`{"goal":"${"g".repeat(5000)}"}`)],
  [owed]: [fixtures.paddedTo(right, 262_144), { sentBytes: 20 }],
  [owedChunks]: [fixtures.chunked(right), { sentBytes: 7 }],
};

let folder: string;
const arrivals = new Map<string, Received>();
const lines = new Map<string, string>();
const server = createServer((request, response) => void keep(request).then(() => response.end("ok\n")));

async function keep(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  const { method, url: path, rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""] as const] : [],
  );
  const name = headers.find(([header]) => header === "x-mark")?.[1] ?? "";
  let first: number | undefined;
  const arrived = () => {
    const ms = first === undefined ? 0 : performance.now() - first;
    arrivals.set(name, { method, path, headers, body: Buffer.concat(chunks), ms });
  };
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      first ??= performance.now();
      chunks.push(chunk);
      arrived();
      // The line of a body that stays owed ends when the connection does.
      if (name === owed || name === owedChunks) request.socket.end();
    }
  } catch {
    // The connection was closed on purpose.
  }
  arrived();
}

beforeAll(async () => {
  if (missing.length > 0) return;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  folder = await mkdtemp(join(tmpdir(), "replay-"));
  // Stands in front of curl and writes down what a process list would show.
  const shim = `#!/bin/sh\nprintf '%s\\n' "$@" >>"$ARGUMENTS"\nPATH=\${PATH#*:} exec curl "$@"\n`;
  await writeFile(join(folder, "curl"), shim);
  await chmod(join(folder, "curl"), 0o755);
  const sent = new Map<string, readonly [Request, Partial<Exchange>?]>(Object.entries(others));
  for (const [name, request] of Object.entries(requests)) sent.set(name, [request]);
  for (const [name, [request, how]] of sent) {
    const marked = fixtures.withAnotherHeader(request, "x-mark", name);
    lines.set(name, replayLine({ request: marked, from: "127.0.0.1", ...how }, redact, "again"));
  }
  const half = Math.ceil(lines.size / 2);
  const all = [...lines.values()];
  // A process for each line would cost more than the lines.
  await Promise.all([bash(all.slice(0, half), "first"), bash(all.slice(half), "second")]);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  if (missing.length === 0) await rm(folder, { recursive: true, force: true });
});

async function bash(script: readonly string[], name: string): Promise<void> {
  const child = spawn("bash", ["-c", script.join("\n")], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 60_000,
    env: {
      PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      [variable]: secret,
      ARGUMENTS: join(folder, name),
      // Nothing listens there: a line that asks a proxy does not arrive.
      http_proxy: "http://127.0.0.1:9",
    },
  });
  await once(child, "exit");
}

function arrived(name: string) {
  const [received, line = ""] = [arrivals.get(name), lines.get(name)];
  if (received === undefined) throw new Error(`nothing arrived from: ${line}`);
  const header = (wanted: string) => received.headers.filter(([known]) => known === wanted).map(([, value]) => value);
  return { ...received, line, header };
}

describe.skipIf(missing.length > 0)(withBashAndCurl, () => {
  test("a body that was sent in two parts arrives so", () => {
    const { body, ms } = arrived(inTwoParts);
    expect(body.toString()).toBe(Buffer.from(right.body).toString());
    expect(ms).toBeGreaterThan(100);
  });

  test.each(Object.entries(requests))("%s arrives as it was sent", (name, request) => {
    const { method, path, body, header } = arrived(name);
    expect({ method, path }).toEqual({ method: request.method, path: request.path });
    expect(Buffer.compare(body, request.body)).toBe(0);
    for (const [known, value] of request.headers) expect(header(known)).toContain(value.trim());
    const typed = request.headers.some(([known]) => known === "content-type");
    expect(header("content-type")).toHaveLength(typed ? 1 : 0);
    expect(header("expect")).toEqual([]);
  });

  test("no line holds a secret or a line break, and no process got a secret as an argument", async () => {
    const texts = await Promise.all(["first", "second"].map((name) => readFile(join(folder, name), "utf8")));
    expect(texts.join("")).toContain("--data-raw");
    for (const text of [...texts, ...lines.values()]) expect(redact(text)).toBe(text);
    // oxlint-disable-next-line no-control-regex
    for (const line of lines.values()) expect(line).not.toMatch(/[\u0000-\u001f]/);
  });

  test("the secret comes from the environment, through a file", () => {
    const { line, header } = arrived("the right request");
    expect(header("authorization")).toEqual([`Bearer ${secret}`]);
    expect(line).toContain(`-H @<(echo 'authorization: Bearer '"\${${variable}}")`);
  });

  test.each([
    ["a chunked body", ["chunked"], []],
    ["method POST without a body", [], ["0"]],
  ])("%s keeps its framing", (name, encoding, length) => {
    const { header } = arrived(name);
    expect([header("transfer-encoding"), header("content-length")]).toEqual([encoding, length]);
  });

  test("a long body has its size, and the line says that its bytes are left out", () => {
    const { body, line } = arrived(long);
    expect(body.byteLength).toBe(5011);
    expect(line).toMatch(/ # the body's own bytes are left out$/);
    expect(line.length).toBeLessThan(1000);
  });

  test.each([
    [owed, ["262144"], [], '{"action":"list_flow'],
    [owedChunks, [], ["chunked"], '{"actio'],
  ])("%s is sent as far as it was, with its framing", (name, length, encoding, sent) => {
    const { header, body, path } = arrived(name);
    expect([header("content-length"), header("transfer-encoding"), path]).toEqual([length, encoding, right.path]);
    expect(body.toString()).toBe(sent);
  });
});

const inBase64 = Buffer.from(`user:${secret}`).toString("base64");
test.each<[string, Request]>([
  ["in base64", fixtures.withHeader(right, "authorization", `Basic ${inBase64}`)],
  ["in capital letters", withPath(`/?secret=${secret.toUpperCase()}`)],
  ["in a body that is not UTF-8", fixtures.withBody(right, Buffer.concat([Buffer.of(0xff), Buffer.from(secret)]))],
])("a secret %s makes the line a comment that says what to run instead", (_, request) => {
  const line = replayLine({ request, from: "127.0.0.1" }, redact, "webhooks-conformance run --case A");
  expect(line).toBe(
    "# the request holds a secret in a form that bash cannot fill in; run instead: webhooks-conformance run --case A",
  );
});

test("a part of a secret beyond ASCII has no line, since what bash counts as a character depends on the locale", () => {
  const foreign = "pässwörd-漢字-7f3a9";
  const withForeign = redactor([{ value: foreign, variable: "SECRET" }]);
  const lineOf = (value: string) => replayLine({ request: withText(value), from: "127.0.0.1" }, withForeign, "again");
  expect(lineOf(foreign)).toContain('"${SECRET}"');
  expect(lineOf(foreign.slice(0, -1))).toMatch(/^# .*run instead: again$/);
});
