import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{plugin,fakes,fixtures,conformance,scripts}/**/*.test.ts"],
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["plugin/**/*.ts", "fakes/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-support.ts"],
      reporter: ["text", "text-summary"],
    },
  },
});
