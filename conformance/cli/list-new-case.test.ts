/** `list` and `explain` say of a case that it is new; the catalogue may have none. */
import { expect, test } from "vitest";
import { inVersion } from "../harness/new-case.ts";
import { caseOf } from "../test-support/gateway.test-support.ts";
import { described } from "./described.ts";
import { linesOf as explained } from "./explain.ts";
import { linesOf as listed } from "./list.ts";

const told = "new in 1.2: warns, and is required from the next minor version";
const item = inVersion("1.2.0", caseOf("NEW-CASE", { since: "1.2" }));

test("as text and as data", () => {
  expect(listed([item, caseOf("OLD")])).toEqual([
    `NEW-CASE  should      ?  case NEW-CASE (${told})`,
    "OLD       must        ?  case OLD",
  ]);
  expect(explained(item)).toContain(`  level    ${told}`);
  expect(described(item)).toMatchObject({ level: "should", since: "1.2" });
});
