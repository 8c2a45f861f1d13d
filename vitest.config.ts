import { defineConfig } from "vitest/config";
import { closingLine } from "./scripts/closing-line.ts";
import { LongFirst } from "./scripts/long-first.ts";

export default defineConfig({
  test: {
    include: ["{plugin,fakes,fixtures,conformance,scripts}/**/*.test.ts"],
    reporters: ["default", closingLine],
    testTimeout: 20_000,
    // Nothing is kept between files, so the modules are loaded once for each worker.
    isolate: false,
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
