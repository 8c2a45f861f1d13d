/** Runs the slow test files first, so that no worker starts one when the others are done. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest first. Without a cache of earlier runs, vitest knows only the size of a file. */
const long = [
  "conformance/library/examples.test.ts",
  "conformance/proof/hostile/hostile.test.ts",
  "conformance/cli/many-seeds.test.ts",
  "scripts/maintainers-page.test.ts",
  "conformance/doctor/examine.test.ts",
  "conformance/run/run.test.ts",
  "conformance/report/html/report-page.test.ts",
];

function rank({ moduleId }: TestSpecification): number {
  const place = long.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? long.length : place;
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
