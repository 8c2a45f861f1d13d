import { expect, test } from "vitest";
import { addedTo, tailOf } from "./tail.ts";

test.each([0, 10, 9000, 20_000])("what has come to a text is told when %i characters were there before", (length) => {
  const before = tailOf("line of a log\n".repeat(length / 14));
  expect(addedTo(before, tailOf(`${before}the new one\n`))).toBe("the new one\n");
  expect(addedTo(before, before)).toBe("");
});

test("more than is kept has come", () => {
  const all = tailOf("new words ".repeat(2000));
  expect(addedTo("old\n", all)).toBe(all);
});
