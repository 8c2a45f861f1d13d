/** Runs the slow test files first, so that no worker starts one when the others are done. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest first. Without a cache of earlier runs, vitest knows only the size of a file. */
const long = [
  "library/examples.test.ts",
  "proof/broken/requests.test.ts",
  "proof/broken/behaviour.test.ts",
  "cli/many-seeds.test.ts",
  "proof/hostile/hostile.test.ts",
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
