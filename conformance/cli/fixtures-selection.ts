/** Which fixtures a user asks for. */
import type { Fixture } from "../../fixtures/fixture.ts";
import type { FixtureRoute } from "../../fixtures/spread.ts";
import type { GenerateOptions } from "../../fixtures/generate/fixtures.ts";

/** The fixtures that the options name. */
export interface Selection {
  fixtures(): Iterable<Fixture>;
  /** Absent for the catalogue. */
  readonly random?: GenerateOptions & { readonly count: number };
  /** Routes that they are on, and the requests on the busiest. */
  readonly routes: readonly FixtureRoute[];
  readonly busiest: number;
}
