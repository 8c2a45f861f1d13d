import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const cache = join(import.meta.dirname, "node_modules", ".cache");

const rooms = "{plugin,fakes,fixtures,conformance,scripts}/**";
/** What judges many subjects, or one at length: `npm run test:nightly`. */
const nightly = `${rooms}/*.nightly.test.ts`;
/** Files that try more at night (`isNight`). */
const deeper = [
  "conformance/cases/limits/{measured,tracked-keys}.test.ts",
  "conformance/report/merge-by-shard.test.ts",
  "fixtures/formats/formats.test.ts",
  "fixtures/generate/generate.test.ts",
  "scripts/{action,ci-jobs}.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "tests", include: [`${rooms}/*.test.ts`], exclude: [...configDefaults.exclude, nightly] },
      },
      {
        extends: true,
        test: { name: "nightly", include: [nightly, ...deeper], env: { NIGHTLY: "1" }, testTimeout: 1_200_000 },
      },
    ],
    reporters: ["default", "./scripts/closing-line.ts"],
    // A busy machine takes ten times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a run keeps for the next one is not the user's.
    env: { XDG_CACHE_HOME: join(cache, "tests") },
    // What a test writes into a folder of its own (mkdtemp) is loaded as Node loads it.
    server: { deps: { external: [/\/(conformance-test|fakes)-\w{6}\//] } },
    // Nothing is kept between files, so the modules are loaded once for each worker.
    isolate: false,
    // Half of the main process's work is to transform what has not changed since the last run.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(cache, "modules") },
    // On two cores: a third uses what the others' waits leave.
    maxWorkers: 3,
    coverage: {
      provider: "v8",
      include: ["plugin/**/*.ts", "fakes/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-support.ts"],
      reporter: ["text", "text-summary"],
    },
  },
});
