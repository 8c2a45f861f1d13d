import { expect, test } from "vitest";
import { signatureOf } from "./signature.ts";

test("it is read by a person, and says what was expected and what came", () => {
  expect(signatureOf("404 not_found", "200 ok:true")).toBe("expected 404 not_found; got 200 ok:true");
});

test.each([
  ["a lane", "the flow of lane-01-sibling", "the flow of lane-12"],
  ["a client address", "127.1.0.9 accepted", "127.33.2.1 accepted"],
  ["a port", "connect ECONNREFUSED 127.0.0.1:4711", "connect ECONNREFUSED 127.0.0.1:61234"],
  ["a host's port", "no answer of localhost:80", "no answer of localhost:8080"],
  ["a time", "at 2025-01-02T03:04:05.678Z", "at 2031-12-31T23:59:59Z"],
  ["a duration", "no answer within 20000 ms", "no answer within 5000 ms"],
  ["seconds", "after 3.2 s", "after 15 s"],
  ["a UUID", "flow 0f0e0d0c-1111-4222-8333-444455556666", "flow ffffffff-1111-4222-8333-000000000000"],
  ["an id in hex", "session-a-0a1b2c3d", "session-a-99887766"],
  ["a number that is no status", "createdAt: 1767225660000", "createdAt: 1767225669999"],
  ["a secret's variable", "Bearer ${WEBHOOKS_SECRET_LANE_01}", "Bearer ${WEBHOOKS_SECRET_LANE_07}"],
  ["a form of a secret", "${WEBHOOKS_SECRET_A in base64, characters 1-20 of 136}", "${WEBHOOKS_SECRET_B}"],
  ["white space", "a  b\n", "a b"],
])("%s does not change it", (_, one, other) => {
  expect(signatureOf("x", one)).toBe(signatureOf("x", other));
  expect(signatureOf(one, "x")).toBe(signatureOf(other, "x"));
});

test.each([
  ["a status", "409 ok:false", "404 ok:false"],
  ["a code", "409 ok:false terminal", "409 ok:false not_found"],
  ["a word that happens to be hex", "deadbeef facade", "deadbeef decade"],
  ["the end of a long text", `${"long ".repeat(80)}one`, `${"long ".repeat(80)}two`],
])("%s does", (_, one, other) => {
  expect(signatureOf("x", one)).not.toBe(signatureOf("x", other));
});

test("it is bounded, and of one line", () => {
  const long = signatureOf("w ".repeat(4000), "z\n".repeat(4000));
  expect(long.length).toBeLessThanOrEqual(250);
  expect(long).not.toContain("\n");
});
