/** What the cases on authentication send is reported, and the reported lines are run: the same bytes have to arrive. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cases as suite } from "../catalogue.ts";
import { formatNames, render } from "../report/formats.ts";
import { shellLines } from "../report/shell-lines.ts";
import type { CaseResult } from "../harness/result.ts";
import { freshKeyring, secretsOf } from "../targets/configuration.ts";
import { launchedTarget, launchOfHandler } from "../targets/in-process.ts";
import { judged, withFolder } from "../test-support/gateway.test-support.ts";
import { reportWith } from "../test-support/report.test-support.ts";
import type { Exchange } from "./exchange.ts";
import { missing, withBashAndCurl } from "./programs.test-support.ts";
import { redactor } from "./redact.ts";
import { replayLine } from "./replay-line.ts";

const keyring = freshKeyring("{name}");
const secrets = secretsOf(keyring);
const redact = redactor(secrets);
const variables = Object.fromEntries(secrets.map(({ variable, value }) => [variable, value]));
const cases = suite.filter(({ id }) => /^(AUTH|LEAK-SECRET|SECRET-COLD)-/.test(id));

/** It lets everybody in, and repeats what it was sent: each case that wants a refusal fails. */
const open = launchedTarget(
  { name: "open" },
  launchOfHandler(
    () => async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const id = /lane-\d+(-\w+)?/.exec(request.url ?? "")?.[0] ?? "any";
      const result = { flow: { flowId: `flow-${id}`, revision: 0 }, sent: [request.url, request.rawHeaders, body] };
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ ok: true, routeId: id, result }));
    },
    "webhooks",
  ),
);
let failed: readonly CaseResult[] = [];
beforeAll(async () => {
  const { results } = await judged(open, cases, { keyring });
  failed = results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
});
const exchangeOf = (id: string): Exchange => {
  const exchange = failed.find((result) => result.id === id)?.exchanges.at(-1);
  if (exchange === undefined) throw new Error(`${id} did not fail with an exchange`);
  return exchange;
};
const authorizationOf = ({ request }: Exchange) =>
  request.headers.find(([name]) => name === "authorization")?.[1] ?? "none";

test.each([
  ["AUTH-LAST-CHARACTER", /^Bearer \$\{\w+, characters 1-101 of 102\}[01]$/],
  ["AUTH-PREFIX", /^Bearer \$\{\w+, characters 1-34 of 102\}$/],
  ["AUTH-PREFIX-PADDED", /^Bearer \$\{\w+, characters 1-34 of 102\}x{68}$/],
  ["AUTH-SUFFIX", /^Bearer \$\{\w+, characters 69-102 of 102\}$/],
  ["AUTH-LONGER", /^Bearer \$\{\w+\}x$/],
  ["AUTH-OTHER-CASE", /^Bearer \$\{\w+ in capital letters\}$/],
  ["AUTH-BASIC", /^Basic \w+\$\{\w+ in base64\}$/],
  ["AUTH-BASE64", /^Bearer \$\{\w+ in base64\}$/],
  ["AUTH-PERCENT", /^Bearer \$\{\w+ in percent form\}$/],
  ["AUTH-DIGEST", /^Bearer \$\{\w+ as SHA-256 in hex\}$/],
  ["AUTH-NO-SCHEME", /^\$\{\w+\}$/],
])("what %s sent is shown by its form", (id, shown) => {
  expect(redact(authorizationOf(exchangeOf(id)))).toMatch(shown);
});

/** The longest run of characters that two texts share. */
function longestShared(text: string, secret: string): number {
  let longest = 0;
  for (let from = 0; from < secret.length; from += 1)
    while (from + longest < secret.length && text.includes(secret.slice(from, from + longest + 1))) longest += 1;
  return longest;
}

test("no output of these cases' failures has 12 characters of a secret in a row, or of what was sent for it", () => {
  expect(failed.length).toBeGreaterThan(30);
  const report = reportWith(failed, { redact });
  const sent = authorizationOf(exchangeOf("AUTH-LAST-CHARACTER")).replace("Bearer ", "");
  for (const format of formatNames) {
    const text = render(report, format).replaceAll(/\\?\n */g, "");
    expect(text).toContain("AUTH-LAST-CHARACTER");
    expect(longestShared(text, sent)).toBeLessThan(12);
    for (const { value } of secrets) expect(longestShared(text, value)).toBeLessThan(12);
    // Nor of a secret's other forms.
    expect(redact(text)).toBe(text);
  }
});

interface Arrival {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Runs lines one after the other; gives what each sent, and what a process list would have shown of curl. */
async function replayed(lines: readonly string[]): Promise<{ arrivals: Arrival[]; processes: string }> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const { method, url: path, rawHeaders } = request;
      arrivals.push({ method, path, rawHeaders, body: Buffer.concat(chunks) });
      response.end("ok\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  let processes = "";
  await withFolder(async (folder) => {
    const shim = `#!/usr/bin/env bash\nprintf '%s\\n' "$@" >>"$ARGUMENTS"\nPATH=\${PATH#*:} exec curl "$@"\n`;
    await writeFile(join(folder, "curl"), shim);
    await chmod(join(folder, "curl"), 0o755);
    const child = spawn("bash", ["-c", lines.join("\n")], {
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 15_000,
      env: {
        ...variables,
        PATH: `${folder}${delimiter}${process.env["PATH"]}`,
        BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        ARGUMENTS: join(folder, "arguments"),
      },
    });
    await once(child, "exit");
    processes = await readFile(join(folder, "arguments"), "utf8");
  });
  server.closeAllConnections();
  server.close();
  return { arrivals, processes };
}

/** A line as the console breaks it. */
const printed = (exchange: Exchange) => shellLines(replayLine(exchange, redact), "", 12).join("\n");

describe.skipIf(missing.length > 0)(withBashAndCurl, () => {
  test("each line sends what its case had sent, byte for byte, and no argument of curl's gives a secret away", async () => {
    const exchanges = failed.flatMap((result) => result.exchanges.slice(-3));
    const { arrivals, processes } = await replayed(exchanges.map(printed));
    expect(arrivals).toHaveLength(exchanges.length);
    for (const [index, { request }] of exchanges.entries()) {
      const { method, path, rawHeaders = [], body = Buffer.alloc(0) } = arrivals[index] ?? {};
      expect({ method, path }).toEqual({ method: request.method, path: request.path });
      expect(Buffer.compare(body, request.body)).toBe(0);
      for (const [name, value] of request.headers) {
        const came = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
        expect(came).toContain(value.trim());
      }
    }
    expect(processes).toContain("--path-as-is");
    expect(redact(processes)).toBe(processes);
  });
});
