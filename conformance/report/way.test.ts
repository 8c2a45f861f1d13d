/** The order in which failures are told: every clause has one place in it, and the reasons of the cases are known. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clauseIds } from "../interface/clauses/index.ts";
import { reportWith, resultOf } from "../test-support/report.test-support.ts";
import { stopOf, way } from "./way.ts";

test("every clause stands at one stop of the way", () => {
  const listed = way.flatMap(({ clauses }) => clauses);
  expect(listed.toSorted()).toEqual([...clauseIds].toSorted());
});

/** Every text of the kit's sources: reasons are literals, or templates that end in what the target answered. */
function sources(): string {
  const folder = join(import.meta.dirname, "..");
  const rooms = ["cases", "harness", "oracle", "properties", "run"];
  const files = rooms.flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: "utf8" }).map((file) => join(folder, room, file)),
  );
  return files
    .filter((file) => file.endsWith(".ts") && !file.includes(".test"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

test("no reason that is looked for has been reworded", () => {
  const text = sources();
  const unknown = way.flatMap(({ title, blocks = [] }) =>
    // Statuses are the target's own words.
    blocks.flatMap((pattern) =>
      /4/.test(pattern.source) || pattern.test(text) ? [] : [`${title}: ${pattern.source}`],
    ),
  );
  expect(unknown).toEqual([]);
});

const stopFor = (reason: string, outcome: "unreached" | "error" = "unreached") => {
  const [result] = reportWith([resultOf({ outcome, reason, clauses: ["SESSION-BOUND"] })]).results;
  return stopOf(result as never).title;
};

test.each([
  ["a wrong secret is let in as well", "authentication"],
  ["another method alone was not refused: 200 ok:true", "method"],
  ["a request within the budget was refused: 429 ok:false rate_limited", "rate limit"],
  ["a limit refused what this case needs (429); ALWAYS-WITHIN-LIMITS judges whether it had to", "rate limit"],
  ["eight requests could not be held in flight, so nothing can be seen of the limit", "requests in flight"],
  ["the set-up (create_flow) was not accepted: 401 ok:false", "authentication"],
  ["the set-up (create_flow) was not accepted: 500 without a JSON object", "actions"],
  ["the result holds no object with flowId and revision", "actions"],
  ["the machine was too busy for this case", "sessions and metadata"],
])("what is left open because %s hangs on the stop: %s", (reason, title) => {
  expect(stopFor(reason)).toBe(title);
});
