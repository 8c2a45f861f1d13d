import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readProfile } from "../profiles/profile.ts";
import { deep } from "../subjects/broken/deep.ts";
import { directSubject } from "../subjects/direct.ts";
import type { Change } from "../subjects/subject.ts";
import { directExecutors } from "./direct-executor.ts";
import { properties } from "./index.ts";
import { search } from "./search.ts";

const options = { product: "service", stateDir: tmpdir(), timeoutMs: 5000, log: () => {} };

async function searched(change: Change, id: string) {
  const property = properties.find((one) => one.id === id);
  if (property === undefined) throw new Error(`there is no property ${id}`);
  const profile = await readProfile("reference", ".");
  const executor = directExecutors(directSubject(change), options);
  return search(property, { profile, executor, depth: { seed: 1 } });
}

test.each(properties.map(({ id }) => id))(
  "%s finds nothing at the kit's own handler",
  async (id) => {
    expect((await searched({}, id)).found).toBeUndefined();
  },
  60_000,
);

test("a deep fault is found and made small without sockets, the same each time", async () => {
  const subject = deep.find(({ id }) => id === "deep-conflict-forgiven");
  if (subject === undefined) throw new Error("there is no such subject");
  const stories = await Promise.all([1, 2].map(() => searched(subject.change, "PROPERTY-REVISIONS")));
  const [first, second] = stories.map(({ found }) => found?.shrunk?.broken);
  expect(first?.finding.clause).toBe("REVISION-STALE");
  expect(first?.story.length).toBe(4);
  expect(second?.story).toEqual(first?.story);
}, 60_000);
