import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { chosenProducts } from "./broken/products.ts";
import { judgeSubject } from "./judge-subject.ts";
import type { Change } from "./subject.ts";

const advised = "REVISION-STALE-NOT-STORED";
const subject = chosenProducts.find(({ kills }) => kills.includes(advised)) ?? expect.fail("there is none");
const chosen = cases.filter(({ id }) => id === advised);

/** A gateway that somebody else wrote: its control port names no gateway. */
const elsewhere: Change["control"] = (request, response) => {
  if (request.url !== "/capabilities") return false;
  response.end(JSON.stringify({ capabilities: ["clock", "persistence"] }));
  return true;
};

test.each([
  ["the kit's own gateway", "must", "fail", {}],
  ["another gateway", "should", "warn", { control: elsewhere }],
])("in %s what another one may do itself is %s: %s", async (_, level, outcome, more) => {
  const { results } = await judgeSubject(subject.id, { ...subject.change, ...more }, "reference", chosen);
  expect(results).toMatchObject([{ level, outcome }]);
});
