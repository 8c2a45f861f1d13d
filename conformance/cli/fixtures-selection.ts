/** Which fixtures the options of `fixtures` ask for: the catalogue or a part of it, or random ones. */
import { readFile } from "node:fs/promises";
import { catalogue } from "../../fixtures/catalogue/index.ts";
import { OTHER_ROUTE, ROUTE } from "../../fixtures/catalogue/maker.ts";
import { actionNames, actions, type ActionFields } from "../../fixtures/fields.ts";
import { requestCount, tags, type Fixture } from "../../fixtures/fixture.ts";
import type { OwnValues } from "../../fixtures/generate/arbitraries.ts";
import type { GenerateOptions } from "../../fixtures/generate/fixtures.ts";
import { routeOf, spread, type FixtureRoute } from "../../fixtures/spread.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Profile } from "../interface/gaps.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { oneOf, orUsageError, wholeNumber, type readOptions } from "./command.ts";

const LARGEST_SEED = 4_294_967_295;

export const choiceOptions = {
  action: { type: "string", multiple: true },
  tag: { type: "string", multiple: true },
  route: { type: "string", multiple: true },
  count: { type: "string" },
  seed: { type: "string" },
  invalid: { type: "string" },
  values: { type: "string" },
  workers: { type: "string" },
} as const;

type Values = ReturnType<typeof readOptions<typeof choiceOptions>>["values"];

export interface ChosenFixtures {
  fixtures(): Iterable<Fixture>;
  /** Undefined for the catalogue. */
  readonly random?: GenerateOptions & { readonly count: number };
  /** The routes that the fixtures are on. */
  readonly routes: readonly FixtureRoute[];
  /** The number of requests on the busiest route. */
  readonly busiest: number;
}

/** Options that do not apply to the catalogue. */
const forRandom = ["seed", "invalid", "values", "workers"] as const;

export async function chooseFixtures(values: Values, profile: Profile): Promise<ChosenFixtures> {
  const chosenActions = values.action?.map((action) => oneOf("--action", action, actionNames));
  const chosenTags = values.tag?.map((tag) => oneOf("--tag", tag, tags));
  const routes = givenRoutes(values.route ?? []);
  if (values.count === undefined) {
    const extra = forRandom.find((name) => values[name] !== undefined);
    if (extra !== undefined) throw new UsageError(`--${extra} is for random fixtures: give --count N as well`);
    const all = catalogue(profile).filter(
      ({ clauses, tags: its, id }) =>
        (chosenActions === undefined || chosenActions.some((action) => isAbout(action, id, clauses))) &&
        (chosenTags === undefined || its.some((tag) => chosenTags.includes(tag))),
    );
    if (all.length === 0) throw new UsageError("no fixture of the catalogue has such an action and tag");
    const placed = spread(all, routes);
    return { fixtures: () => placed.fixtures, routes: placed.routes, busiest: placed.busiest };
  }
  if (chosenTags !== undefined)
    throw new UsageError("--tag chooses from the catalogue; random fixtures have --invalid");
  const { invalid = "0.25" } = values;
  const share = Number(invalid);
  if (invalid.trim() === "" || !(share >= 0 && share <= 1))
    throw new UsageError(`--invalid is "${invalid}", expected a share from 0 to 1`);
  const seed = wholeNumber("--seed", values.seed ?? "1", 0);
  if (seed > LARGEST_SEED) throw new UsageError(`--seed is "${values.seed}", expected at most ${LARGEST_SEED}`);
  const own = values.values === undefined ? undefined : await ownValues(values.values);
  const random = {
    profile,
    seed,
    count: wholeNumber("--count", values.count, 1),
    invalid: share,
    ...(chosenActions !== undefined && { actions: chosenActions }),
    ...(own !== undefined && { own }),
    ...(routes.length > 0 && { routes }),
  };
  const { fixturesOf } = await import("../../fixtures/generate/fixtures.ts");
  const fixtures = () => fixturesOf(random);
  const taken = routes.length > 0 ? routes : [routeOf(ROUTE)];
  return { fixtures, random, routes: taken, busiest: busiestOf(fixtures(), random.count, taken.length) };
}

/** Requests on the busiest of so many routes, which take turns; not counted further once they are too many. */
function busiestOf(fixtures: Iterable<Fixture>, count: number, routes: number): number {
  const least = Math.ceil(count / routes);
  if (least > REQUESTS_PER_WINDOW) return least;
  const sums: number[] = [];
  let place = 0;
  for (const fixture of fixtures) {
    sums[place] = (sums[place] ?? 0) + requestCount(fixture);
    place = (place + 1) % routes;
  }
  return Math.max(...sums);
}

/** The routes of `--route`. Throws `UsageError` for one that no gateway could serve, alone or beside the others. */
function givenRoutes(texts: readonly string[]): readonly FixtureRoute[] {
  const taken = [routeOf(OTHER_ROUTE)];
  return texts.map((text) => {
    const route = routeOf(text);
    const refuse = (why: string) => new UsageError(`--route is "${text}": ${why}`);
    if (route.id.trim() === "") throw refuse("expected ID, or ID=/path where it has one of its own");
    if (!/^\/[!-~]*$/.test(route.path) || /[?#\\]/.test(route.path))
      throw refuse(`expected a path that begins with "/", of visible ASCII, without "?", "#" and "\\"`);
    // A gateway may ignore case in paths.
    const lower = route.path.toLowerCase();
    const same = taken.find(({ id, path }) => id === route.id || path.toLowerCase() === lower);
    if (same?.id === OTHER_ROUTE)
      throw refuse(`${OTHER_ROUTE} is the route of another session: expected another id and path`);
    if (same !== undefined) throw refuse("given before: expected ids and paths that differ, and not by case alone");
    taken.push(route);
    return route;
  });
}

/** The ids of the catalogue begin with their action. */
function isAbout(action: string, id: string, clauses: readonly string[]): boolean {
  const word = action.toUpperCase().replaceAll("_", "-");
  return id.startsWith(`${word}-`) || clauses.includes(`ACTION-${word}`);
}

async function ownValues(file: string): Promise<OwnValues> {
  const read = await orUsageError(`the values ${file} could not be read`, async (): Promise<unknown> =>
    JSON.parse(await readFile(file, "utf8")),
  );
  if (typeof read !== "object" || read === null || Array.isArray(read))
    throw new UsageError(`${file} has to be an object: field name -> list of values`);
  const fields = [...new Set(actionNames.flatMap((action) => Object.keys((actions[action] as ActionFields).fields)))];
  for (const [field, list] of Object.entries(read)) {
    oneOf(`a field in ${file}`, field, fields);
    if (!Array.isArray(list) || list.length === 0)
      throw new UsageError(`${file}: ${field} has to be a list with at least one value`);
    const ofWrongKind = list.some(
      (value) => typeof value === "string" && (value.includes("{{") || value.startsWith("#")),
    );
    if (ofWrongKind)
      throw new UsageError(`${file}: a value of ${field} has "{{" or begins with "#", which mark variables here`);
  }
  return read as OwnValues;
}
