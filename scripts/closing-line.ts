/** A vitest reporter that ends the output with one line for machines: `N passed, N failed`. */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    let passed = 0;
    // Errors outside every test and hook, such as a rejected promise that nobody awaits.
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
      // A file that cannot be loaded or a suite whose hook fails counts as one failure: its tests never ran.
      for (const suite of [module, ...module.children.allSuites()]) {
        if (suite.errors().length > 0) failed += 1;
      }
    }
    const more = skipped === 0 ? "" : `, ${skipped} skipped`;
    process.stdout.write(`${passed} passed, ${failed} failed${more}\n`);
  }
}
