import { expect, test } from "vitest";
import { deep } from "../../proof/broken/properties/deep.ts";
import { searched } from "../../test-support/direct.test-support.ts";
import { properties } from "../index.ts";

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
  const [first, second] = stories.map(({ found }) => found?.shrunk);
  expect(first?.departure.clause).toBe("REVISION-STALE");
  expect(first?.story.length).toBe(4);
  expect(second?.story).toEqual(first?.story);
}, 60_000);
