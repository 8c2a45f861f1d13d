import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { surfaceOf } from "./surface.ts";

const root = join(import.meta.dirname, "..");

const kept = JSON.parse(readFileSync(new URL("surface.json", import.meta.url), "utf8")) as unknown;

test(
  "users find every subpath, name, command, option and field that surface.json lists",
  { timeout: 60_000 },
  async () => {
    const changed =
      "a change of it is a line in CHANGELOG.md, then: npx tsx scripts/surface.ts > scripts/surface.json && npx prettier --write scripts/surface.json";
    expect(await surfaceOf(root), changed).toEqual(kept);
  },
);
