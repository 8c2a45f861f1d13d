/** `list` and `explain` say of a case that it is new; the catalogue may have none. */
import { expect, test, vi } from "vitest";
import { inVersion } from "../harness/new-case.ts";
import { call } from "../test-support/cli.test-support.ts";
import { caseOf } from "../test-support/gateway.test-support.ts";
import { command as explain } from "./explain.ts";
import { command as list } from "./list.ts";

vi.mock("../catalogue.ts", () => ({
  cases: [inVersion("1.2.0", caseOf("NEW-CASE", { since: "1.2" })), caseOf("OLD")],
}));

const told = "new in 1.2: warns, and is required from the next minor version";

test("as text and as data", async () => {
  const { text } = await call(list);
  expect(text).toBe(`NEW-CASE  should      ?  case NEW-CASE (${told})\nOLD       must        ?  case OLD\n`);
  expect((await call(explain, "NEW-CASE")).text).toContain(`  level    ${told}\n`);
  expect(JSON.parse((await call(list, "--json")).text)).toMatchObject([
    { level: "should", since: "1.2" },
    { id: "OLD" },
  ]);
});
