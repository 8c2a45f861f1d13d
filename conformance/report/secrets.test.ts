/** What the cases on authentication send to a target that repeats it: no report may hold a secret, or much of one. */
import { beforeAll, expect, test } from "vitest";
import { cases as suite } from "../catalogue.ts";
import { formatNames, render } from "./formats.ts";
import type { CaseResult } from "../harness/result.ts";
import { freshKeyring, secretsOf } from "../targets/keyring.ts";
import { inProcessTarget, launchOfHandler } from "../targets/in-process.ts";
import { judged } from "../test-support/gateway.test-support.ts";
import { reportWith } from "../test-support/report.test-support.ts";
import type { Exchange } from "../http/exchange.ts";
import { redactor } from "../http/redact.ts";

const keyring = freshKeyring("{name}");
const secrets = secretsOf(keyring);
const redact = redactor(secrets);
const cases = suite.filter(({ id }) => /^(AUTH|NEVER-SECRET|SECRET-COLD)/.test(id));

/** It lets everybody in, and repeats what it was sent: each case that wants a refusal fails. */
const open = inProcessTarget(
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

const RUN = 12;
const runsOf = (text: string) => Array.from({ length: text.length - RUN + 1 }, (_, at) => text.slice(at, at + RUN));

test("no output of these cases' failures has 12 characters of a secret in a row, or of what was sent for it", async () => {
  expect(failed.length).toBeGreaterThan(30);
  const report = reportWith(failed, { redact });
  const sent = authorizationOf(exchangeOf("AUTH-LAST-CHARACTER")).replace("Bearer ", "");
  const hidden = new Set([sent, ...secrets.map(({ value }) => value)].flatMap(runsOf));
  expect(runsOf(`a ${sent.slice(7, 7 + RUN)} b`).some((run) => hidden.has(run))).toBe(true);
  for (const format of formatNames) {
    const text = (await render(report, format)).replaceAll(/\\?\n */g, "");
    expect(text).toContain("AUTH-LAST-CHARACTER");
    expect(runsOf(text).filter((run) => hidden.has(run))).toEqual([]);
    // Nor of a secret's other forms.
    expect(redact(text)).toBe(text);
  }
});

test.each(["AUTH-BASIC", "AUTH-OTHER-CASE", "AUTH-DIGEST"])(
  "%s, whose secret bash cannot fill in, says which command sends the request again",
  async (id) => {
    const report = reportWith(
      failed.filter((result) => result.id === id),
      { redact },
    );
    const command = `webhooks-conformance run --target mine.json --case ${id}`;
    const { exchanges } = report.results[0] ?? {};
    const comment = `# the request holds a secret in a form that bash cannot fill in; run instead: ${command}`;
    expect(exchanges?.at(-1)?.replay).toBe(comment);
    // Broken to the console's width, each line is still a comment.
    const printed = (await render(report, "console")).replaceAll(/\n {12}# /g, " ");
    expect(printed).toContain(`  replay    ${comment}\n`);
  },
);
