/** A vitest reporter that ends the output with one line for machines: `N passed, N failed`. */
import type { Reporter, TestModule } from "vitest/node";

export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    let passed = 0;
    let failed = 0;
    let skipped = 0;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
      // A file that could not be loaded counts as failed, though no test of it ran.
      if (module.errors().length > 0) failed += 1;
    }
    const more = skipped === 0 ? "" : `, ${skipped} skipped`;
    process.stdout.write(`${passed} passed, ${failed} failed${more}\n`);
  },
};
