/** Which fixtures the options of `fixtures` ask for: the catalogue or a part of it, or random ones. */
import { catalogue } from "../../fixtures/catalogue/index.ts";
import { OTHER_ROUTE } from "../../fixtures/catalogue/maker.ts";
import { actionNames } from "../interface/fields.ts";
import { tags } from "../../fixtures/fixture.ts";
import { ownValues, type OwnValues } from "../../fixtures/generate/own-values.ts";
import type { GenerateOptions } from "../../fixtures/generate/fixtures.ts";
import { Places, readRoute, spread, type FixtureRoute } from "../../fixtures/spread.ts";
import { readJson } from "../foundation/read-file.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readProfile } from "../interface/profile.ts";
import { oneOf, readOptions, wholeNumber } from "./command.ts";
import { idOf } from "../interface/values.ts";

const LARGEST_SEED = 4_294_967_295;

export const choiceOptions = {
  action: { type: "string", multiple: true },
  tag: { type: "string", multiple: true },
  route: { type: "string", multiple: true },
  count: { type: "string" },
  seed: { type: "string" },
  invalid: { type: "string" },
  values: { type: "string" },
  profile: { type: "string" },
} as const;

type Choice = ReturnType<typeof readOptions<typeof choiceOptions>>["values"];

/** The options that made some fixtures, as the query of a URL, which travels with their file. */
export function queryOf(choice: Choice): string {
  const pairs = Object.entries(choice).flatMap(([name, value]) => [value ?? []].flat().map((text) => [name, text]));
  return new URLSearchParams(pairs).toString();
}

/** The same options, read from that query. Throws `UsageError`. */
export function choiceIn(query: string): Choice {
  const args = [...new URLSearchParams(query)].map(([name, value]) => `--${name}=${value}`);
  return readOptions("fixtures", args, choiceOptions).values;
}

export type ChosenFixtures = Awaited<ReturnType<typeof chooseFixtures>>;

const forRandom = ["seed", "invalid", "values"] as const;

/**
 * The profile, the fixtures (random ones are generated while they are read, so any number fits into memory), and the routes
 * of those that have been read. Throws `UsageError` for options that are wrong, alone or together.
 */
export async function chooseFixtures(values: Choice) {
  const profile = await readProfile(values.profile ?? "spec", ".");
  const actions = values.action?.map((action) => oneOf("--action", action, actionNames));
  const chosenTags = values.tag?.map((tag) => oneOf("--tag", tag, tags));
  const routes = givenRoutes(values.route ?? []);
  const places = new Places(routes);
  if (values.count !== undefined) {
    if (chosenTags !== undefined)
      throw new UsageError("--tag chooses from the catalogue; random fixtures have --invalid");
    const random = await randomOptions(values, values.count);
    const { fixturesOf } = await import("../../fixtures/generate/fixtures.ts");
    const chosen = { ...(actions && { actions }), ...(routes.length > 0 && { routes }) };
    return { profile, fixtures: fixturesOf({ profile, ...random, ...chosen }, places), places };
  }
  const extra = forRandom.find((name) => values[name] !== undefined);
  if (extra !== undefined) throw new UsageError(`--${extra} is for random fixtures: give --count N as well`);
  const all = catalogue(profile).filter(
    ({ clauses, tags: its, id }) =>
      (actions === undefined || actions.some((action) => isAbout(action, id, clauses))) &&
      (chosenTags === undefined || its.some((tag) => chosenTags.includes(tag))),
  );
  if (all.length === 0) throw new UsageError("no fixture of the catalogue has such an action and tag");
  return { profile, fixtures: spread(all, places).fixtures, places };
}

async function randomOptions(
  { invalid = "0.25", seed: seedText = "1", values: file }: Choice,
  count: string,
): Promise<Omit<GenerateOptions, "profile">> {
  const share = Number(invalid);
  if (invalid.trim() === "" || !(share >= 0 && share <= 1))
    throw new UsageError(`--invalid is "${invalid}", expected a share from 0 to 1`);
  const seed = wholeNumber("--seed", seedText, 0);
  if (seed > LARGEST_SEED) throw new UsageError(`--seed is "${seedText}", expected at most ${LARGEST_SEED}`);
  const random = { seed, count: wholeNumber("--count", count, 1), invalid: share };
  if (file === undefined) return random;
  const own = (await readJson(file, `the values ${file}`)) as OwnValues;
  ownValues(own, file);
  return { ...random, own };
}

/** The routes of `--route`. Throws `UsageError` for one that no gateway could serve, alone or beside the others. */
function givenRoutes(texts: readonly string[]): readonly FixtureRoute[] {
  const taken = [readRoute(OTHER_ROUTE)];
  return texts.map((text) => {
    const route = readRoute(text);
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

/** Whether a fixture of the catalogue is about an action: its id begins with the action's name. */
function isAbout(action: string, id: string, clauses: readonly string[]): boolean {
  const word = idOf(action);
  return id.startsWith(`${word}-`) || clauses.includes(`ACTION-${word}`);
}
