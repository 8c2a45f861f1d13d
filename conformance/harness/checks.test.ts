import { expect, test } from "vitest";
import { partsIn } from "./checks.ts";

test("the parts of a result have the names of fields, and no place of a list passes for an id", () => {
  const parts = partsIn({ flows: [{ id: "7" }, "8"] });
  expect(parts.map(([name]) => name)).toEqual(["flows", "", "id", ""]);
  expect(parts.map(([, value]) => value)).toContain("8");
});
