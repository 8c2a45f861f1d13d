/** What the rows of wrong secrets send, to a target that repeats it: no report may hold a secret, or much of one. */
import { expect, test } from "vitest";
import { wrongRequest, wrongSecretRows } from "../cases/authentication/secret-rows.ts";
import { createFlow } from "../interface/bodies.ts";
import { validRequest } from "../interface/request.ts";
import { formatNames, render } from "./formats.ts";
import type { Trial } from "../harness/trial.ts";
import { freshKeyring, variableOf } from "../targets/keyring.ts";
import { specialRoutes, standardRoutes } from "../targets/standard-routes.ts";
import { reportWith, resultOf } from "../test-support/report.test-support.ts";
import type { Exchange } from "../http/exchange.ts";
import { redactor } from "../http/redact.ts";
import type { Row } from "../oracle/rows.ts";

const keyring = freshKeyring("{name}");
const { secrets } = keyring;
const redact = redactor(secrets);

const routeOf = (id: string) => {
  const route = standardRoutes.find((one) => one.id === id) ?? specialRoutes.cold;
  const path = `/plugins/webhooks/${id}`;
  return { id, path, sessionKey: "a session", secret: keyring.secretOf(route), variable: variableOf(route) };
};
const trial = {
  route: routeOf("lane-01"),
  sibling: routeOf("lane-01-sibling"),
  stranger: routeOf("lane-01-stranger"),
  product: "service",
  special: () => routeOf("cold"),
  right: () => validRequest(routeOf("lane-01"), createFlow()),
} as unknown as Trial;

/** The row's request, and an answer that lets it in and repeats it. */
function exchangeOf(row: Row): Exchange {
  const request = wrongRequest(trial, row);
  const result = { flow: { flowId: "flow-1", revision: 0 }, sent: [request.path, request.headers] };
  const body = new TextEncoder().encode(JSON.stringify({ ok: true, routeId: "lane-01", result }));
  return { request, from: "127.1.0.1", answer: { status: 200, headers: new Map(), body } };
}

const rows = wrongSecretRows();
const failed = rows.map((row, index) =>
  resultOf({
    id: `ROW-${index}`,
    outcome: "fail",
    expected: "401",
    actual: "200 ok:true",
    exchanges: [exchangeOf(row)],
  }),
);
const RAW = "Authorization as it is";
const indexOf = (value: string, header: string) =>
  rows.findIndex((row) => row["value"] === value && row["header"] === header);
const authorizationOf = ({ request }: Exchange) =>
  request.headers.find(([name]) => name === "authorization")?.[1] ?? "none";
const sentAs = (value: string, header = "Bearer") =>
  authorizationOf(failed[indexOf(value, header)]?.exchanges[0] as Exchange);

test.each([
  ["the secret with another last character", "Bearer", /^Bearer \$\{\w+, characters 1-101 of 102\}[01]$/],
  ["the secret's first third", "Bearer", /^Bearer \$\{\w+, characters 1-34 of 102\}$/],
  ["the secret's first third, filled up", "Bearer", /^Bearer \$\{\w+, characters 1-34 of 102\}x{68}$/],
  ["the secret's last third", "Bearer", /^Bearer \$\{\w+, characters 69-102 of 102\}$/],
  ["the secret and an x", "Bearer", /^Bearer \$\{\w+\}x$/],
  ["the secret in capitals", "Bearer", /^Bearer \$\{\w+ in capital letters\}$/],
  ["a Basic user's password", RAW, /^Basic \w+\$\{\w+ in base64\}$/],
  ["the secret in base64", "Bearer", /^Bearer \$\{\w+ in base64\}$/],
  ["the secret in percent-encoding", "Bearer", /^Bearer \$\{\w+ in percent form\}$/],
  ["the secret's SHA-256 digest", "Bearer", /^Bearer \$\{\w+ as SHA-256 in hex\}$/],
  ["the secret without a scheme", RAW, /^\$\{\w+\}$/],
])("%s in %s is shown by its form", (value, header, shown) => {
  expect(redact(sentAs(value, header))).toMatch(shown);
});

const RUN = 12;
const runsOf = (text: string) => Array.from({ length: text.length - RUN + 1 }, (_, at) => text.slice(at, at + RUN));

test("no output of these failures has 12 characters of a secret in a row, or of what was sent for it", async () => {
  const report = reportWith(failed, { redact });
  const sent = sentAs("the secret with another last character").replace("Bearer ", "");
  const hidden = new Set([sent, ...[...secrets].map(({ value }) => value)].flatMap(runsOf));
  expect(runsOf(`a ${sent.slice(7, 7 + RUN)} b`).some((run) => hidden.has(run))).toBe(true);
  for (const format of formatNames) {
    const text = (await render(report, format)).replaceAll(/\\?\n */g, "");
    expect(text).toContain("ROW-7");
    expect(runsOf(text).filter((run) => hidden.has(run))).toEqual([]);
    // Nor of a secret's other forms.
    expect(redact(text)).toBe(text);
  }
});

test.each([
  ["a Basic user's password", RAW],
  ["the secret in capitals", "Bearer"],
  ["the secret's SHA-256 digest", "Bearer"],
])("%s in %s, which bash cannot fill in, says which command sends the request again", async (value, header) => {
  const one = failed[indexOf(value, header)];
  const report = reportWith(one === undefined ? [] : [one], { redact });
  const command = `webhooks-conformance run --target mine.json --case ${one?.id}`;
  const comment = `# the request holds a secret in a form that bash cannot fill in; run instead: ${command}`;
  expect(report.results[0]?.exchanges?.at(-1)?.replay).toBe(comment);
  // Broken to the console's width, each line is still a comment.
  const printed = (await render(report, "console")).replaceAll(/\n {12}# /g, " ");
  expect(printed).toContain(`  replay    ${comment}\n`);
});
