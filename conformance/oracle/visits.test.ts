import { expect, test } from "vitest";
import { notVisited, Visits } from "./visits.ts";

const lacking = (visits: Visits) => notVisited(visits, {}).filter((cell) => cell.includes("cancel-pending"));

test("a state that is met by chance need not be met by every action; one that flows can be brought into has to be", () => {
  const [chance, reliable] = [new Visits(), new Visits()];
  for (const visits of [chance, reliable]) visits.add("finish_flow", "cancel-pending");
  for (const there of [true, false, false]) chance.brought("cancel-pending", there);
  for (const there of [true, true, false]) reliable.brought("cancel-pending", there);
  expect(lacking(chance)).toEqual([]);
  expect(lacking(reliable)).toContain("fail_flow of a flow that is cancel-pending");
  chance.merge(reliable);
  expect(lacking(chance)).toEqual([]);
});
