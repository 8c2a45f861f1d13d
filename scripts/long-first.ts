/** The order of the test files: those that take seconds first, so that no worker is left with one at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first; a clone that never ran them knows only how many bytes they have. */
const long = [
  "library/examples.test.ts",
  "subjects/broken/requests.test.ts",
  "subjects/broken/behaviour.test.ts",
  "subjects/broken/deep.test.ts",
  "subjects/stubs.test.ts",
  "subjects/broken/deep-limits.test.ts",
  "cli/many-seeds.test.ts",
  "subjects/hostile/hostile.test.ts",
];

function rank({ moduleId }: TestSpecification): number {
  const place = long.findIndex((path) => moduleId.endsWith(`conformance/${path}`));
  return place === -1 ? long.length : place;
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
