import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const cache = join(import.meta.dirname, "node_modules", ".cache");

/** The slowest first. Without a cache of earlier runs, vitest knows only the size of a file. */
const long = [
  "conformance/run/run.test.ts",
  "conformance/doctor/examine.test.ts",
  "conformance/cli/run-plugin.test.ts",
  "conformance/cli/run-command.test.ts",
  "conformance/cli/watch.test.ts",
  "conformance/cli/many-seeds.test.ts",
  "conformance/run/budget.test.ts",
  "conformance/run/host.test.ts",
  "conformance/run/hosts.test.ts",
  "conformance/cli/fixtures-command.test.ts",
  "fixtures/formats/formats.test.ts",
  "fakes/serve-process.test.ts",
];

function rank({ moduleId }: TestSpecification): number {
  const place = long.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? long.length : place;
}

/** Runs the slow test files first, so that no worker starts one when the others are done. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const rooms = "{plugin,fakes,fixtures,conformance,scripts}/**";
/** What judges many subjects, or one at length: `npm run test:nightly`. */
const nightly = `${rooms}/*.nightly.test.ts`;
/** Files that try more at night (`isNight`). */
const deeper = [
  "conformance/cases/limits/{measured,tracked-keys}.test.ts",
  "conformance/proof/{falsified,headlines}.test.ts",
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
    sequence: { sequencer: LongFirst },
    coverage: {
      provider: "v8",
      include: ["plugin/**/*.ts", "fakes/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-support.ts"],
      reporter: ["text", "text-summary"],
    },
  },
});
