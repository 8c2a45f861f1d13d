/**
 * `npm run products -- [--each N] [--seed N] [--only WORD]`: judges a sample of the broken subjects that are products, N of
 * each way to break something, with the whole suite and the profile `spec`; prints the share that is caught, and the others.
 */
import { createHash } from "node:crypto";
import { casesAt } from "../conformance/catalogue.ts";
import { judgeSubject } from "../conformance/proof/judge-subject.ts";
import { pooled } from "../conformance/proof/pool.ts";
import { products } from "../conformance/proof/products/index.ts";
import { chosenBy, given, text, wholeNumber } from "./options.ts";

const options = given({ each: text("2"), seed: text("1"), only: text() });
const [each, seed] = [wholeNumber("--each", options.each), wholeNumber("--seed", options.seed)];

/** Sorts the products of one kind as the seed has it. */
const place = (id: string): string => createHash("sha256").update(`${seed} ${id}`).digest("hex");

const named = chosenBy(options.only, products, ({ id }) => id);
const operators = [...new Set(named.map(({ operator }) => operator))];
const chosen = operators.flatMap((operator) =>
  named
    .filter((one) => one.operator === operator)
    .toSorted((a, b) => place(a.id).localeCompare(place(b.id)))
    .slice(0, each),
);
process.stdout.write(`${named.length} products of ${operators.length} operators; judging ${chosen.length}\n`);
const cases = casesAt({ seed });
const missed: string[] = [];
const caught = new Map<string, [number, number]>();
await pooled(chosen, 2, async ({ id, operator, change }) => {
  const { results } = await judgeSubject("product", change, "spec", cases, { bail: true });
  const red = results.filter(({ outcome }) => outcome === "fail");
  const [hits, of] = caught.get(operator) ?? [0, 0];
  caught.set(operator, [hits + (red.length > 0 ? 1 : 0), of + 1]);
  if (red.length === 0) {
    const open = results.filter(({ outcome }) => ["warn", "error", "unreached"].includes(outcome));
    const why = open.slice(0, 3).map((one) => `${one.outcome} ${one.id}`);
    missed.push(id);
    process.stdout.write(`missed: ${id}${why.length > 0 ? ` (${why.join(", ")})` : ""}\n`);
  }
});
for (const [operator, [hits, of]] of caught) process.stdout.write(`${hits} of ${of}  ${operator}\n`);
process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} caught\n`);
