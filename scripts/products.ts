/**
 * `npm run products -- [--each N] [--seed N] [--only WORD]`: judges a sample of the broken subjects that are products, N of
 * each way to break something, with the whole suite and the profile `spec`; prints the share that is caught, and the others.
 */
import { casesAt } from "../conformance/catalogue.ts";
import { judgeSubject } from "../conformance/proof/judge-subject.ts";
import { pooled } from "../conformance/proof/pool.ts";
import { products } from "../conformance/proof/products/index.ts";
import { given, text, wholeNumber } from "./options.ts";

const options = given({ each: text("2"), seed: text("1"), only: text() });
const [each, seed] = [wholeNumber("--each", options.each), wholeNumber("--seed", options.seed)];

/** A number from 0 to 1 that the seed and a text make. */
function drawn(word: string): number {
  let hash = 2166136261 ^ seed;
  for (const sign of word) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

const operators = [...new Set(products.map(({ operator }) => operator))];
const chosen = operators.flatMap((operator) =>
  products
    .filter((one) => one.operator === operator && one.id.includes(options.only))
    .toSorted((a, b) => drawn(a.id) - drawn(b.id))
    .slice(0, each),
);
process.stdout.write(`${products.length} products of ${operators.length} operators; judging ${chosen.length}\n`);
const cases = casesAt({ seed });
const missed: string[] = [];
const caught = new Map<string, [number, number]>();
await pooled(chosen, 2, async ({ id, operator, change }) => {
  const { results } = await judgeSubject("product", change, "spec", cases);
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
