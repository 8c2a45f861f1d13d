import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { insteadOfFlow, partsIn } from "./checks.ts";

test("the parts of a result have the names of fields, and no place of a list passes for an id", () => {
  const parts = partsIn({ flows: [{ id: "7" }, "8"] });
  expect(parts.map(([name]) => name)).toEqual(["flows", "", "id", ""]);
  expect(parts.map(([, value]) => value)).toContain("8");
});

test.each([
  [{ flow: { flowId: "f", revision: "0" } }, "flowId: string, revision: string"],
  [{ flows: [{ flowId: 7, revision: 0.5 }] }, "flowId: integer, revision: number"],
  [{ flow: { flowId: "f", revision: null } }, "flowId: string, revision: null"],
  [{ flow: { id: "f" } }, "none"],
  [undefined, "none"],
])("what %j shows in place of a flow is named by its types", (result, said) => {
  const body = Buffer.from(JSON.stringify({ ok: true, result }));
  expect(insteadOfFlow({ answer: { status: 200, headers: new Map(), body } } as unknown as Exchange)).toBe(said);
});
