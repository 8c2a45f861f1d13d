/** Request fixtures: the catalogue or a random stream, in the format of a tool, and the judging of what came back. */
import { readFile } from "node:fs/promises";
import { catalogue } from "../../fixtures/catalogue/index.ts";
import { OTHER_ROUTE, ROUTE } from "../../fixtures/catalogue/maker.ts";
import { actionNames, actions, type ActionFields } from "../../fixtures/fields.ts";
import { requestCount, tags, type Fixture } from "../../fixtures/fixture.ts";
import { documents, formats } from "../../fixtures/formats/index.ts";
import { carried, features, type Feature } from "../../fixtures/formats/format.ts";
import type { OwnValues } from "../../fixtures/generate/arbitraries.ts";
import type { GenerateOptions } from "../../fixtures/generate/fixtures.ts";
import { writeFileWhole, writeTo, type Texts } from "../../fixtures/output.ts";
import { routeOf, spread, type FixtureRoute } from "../../fixtures/spread.ts";
import { readProfile } from "../interface/profile.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { oneOf, readOptions, wholeNumber, type Command } from "./command.ts";
import { checkAnswers } from "./fixtures-check.ts";
import type { Selection } from "./fixtures-selection.ts";

const LARGEST_SEED = 4_294_967_295;
const formatNames = [...Object.keys(formats), ...Object.keys(documents)] as (
  keyof typeof formats | keyof typeof documents
)[];

const listed = [...Object.entries(formats), ...Object.entries(documents)]
  .map(([name, { summary }]) => `    ${name.padEnd(9)}${summary}`)
  .join("\n");

const options = {
  format: { type: "string" },
  profile: { type: "string", default: "spec" },
  out: { type: "string" },
  action: { type: "string", multiple: true },
  tag: { type: "string", multiple: true },
  route: { type: "string", multiple: true },
  count: { type: "string" },
  seed: { type: "string" },
  invalid: { type: "string" },
  values: { type: "string" },
  workers: { type: "string" },
  answers: { type: "string" },
} as const;

export const command: Command = {
  summary: "write request fixtures with the answers to expect, or check answers against them",
  usage: `usage: webhooks-conformance fixtures [options]
       webhooks-conformance fixtures check --answers FILE [options]
The catalogue of fixtures or, with --count, random ones.
  --format NAME   default ndjson; one of
${listed}
  --profile NAME  whose answers to expect: spec (default), reference,
                  openclaw or a file
  --action NAME   only fixtures of this action; more than once for several
  --tag NAME      only fixtures with this tag: ${tags.join(", ")}
  --route ID      put them on this route (ID=/path where it has one of its own);
                  more than once for several; default demo, and for the catalogue
                  as many more of demo-2, demo-3 ... as it takes to stay below the
                  rate limit
  --out FILE      instead of standard output
random fixtures
  --count N       how many
  --seed S        the same seed gives the same bytes (default 1)
  --invalid P     share of broken ones, 0 to 1 (default 0.25)
  --values FILE   JSON: field name -> list of values to take for it
  --workers N     threads (ndjson only); default as many as there are cores, at most 4
check
  --answers FILE  HAR, newman's or k6's JSON, or NDJSON of { fixture, status, body };
                  name the same --profile, --route, --count and --seed as before
exit codes: 0, or for check: 0 as expected, 1 not, 2 usage,
            4 could not be read whole, or nothing in it could be judged`,
  async run(args) {
    const { values, positionals } = readOptions("fixtures", args, options, true);
    const [verb, ...more] = positionals;
    if (more.length > 0 || (verb !== undefined && verb !== "check"))
      throw new UsageError(
        `fixtures takes no "${positionals.join(" ")}": check is its one word (see: webhooks-conformance fixtures --help)`,
      );
    const profile = await readProfile(values.profile, ".");
    const chosen = await selectionOf(values, profile);
    if (verb === "check") {
      if (values.answers === undefined) throw new UsageError("fixtures check needs --answers FILE");
      if (values.out !== undefined || values.format !== undefined || values.workers !== undefined)
        throw new UsageError("fixtures check writes no fixtures: no --out, no --format, no --workers");
      return checkAnswers(values.answers, chosen);
    }
    if (values.answers !== undefined) throw new UsageError("--answers belongs to: fixtures check");
    const name = oneOf("--format", values.format ?? "ndjson", formatNames);
    if (values.workers !== undefined && name !== "ndjson")
      throw new UsageError(`--workers is for --format ndjson, not for ${name}`);
    if (name === "openapi" || name === "schema" || name === "config") {
      await output([documents[name].write(profile, chosen.routes)], values.out);
      return 0;
    }
    const workers = values.workers === undefined ? undefined : wholeNumber("--workers", values.workers, 1);
    const left = new Map<Feature, number>();
    const random = chosen.random;
    if (random !== undefined && name === "ndjson") {
      const { streamOf } = await import("../../fixtures/generate/stream.ts");
      await output(streamOf(random, workers), values.out);
    } else {
      const format = formats[name];
      const leave = (_: Fixture, feature: Feature) => left.set(feature, (left.get(feature) ?? 0) + 1);
      await output(format.write(carried(chosen.fixtures(), format, leave)), values.out);
    }
    process.stderr.write(remarks(chosen, name, left));
    return 0;
  },
};

type Values = ReturnType<typeof readOptions<typeof options>>["values"];

/** Options that mean nothing for the catalogue. */
const forRandom = ["seed", "invalid", "values", "workers"] as const;

async function selectionOf(values: Values, profile: GenerateOptions["profile"]): Promise<Selection> {
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

/** Requests on the busiest of so many routes, which fixtures go to in turn; or fewer, where the fixtures alone are too many. */
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

/** The routes of `--route`. Throws UsageError for one that no gateway could serve, or not beside the others. */
function givenRoutes(texts: readonly string[]): readonly FixtureRoute[] {
  const taken = [routeOf(OTHER_ROUTE)];
  return texts.map((text) => {
    const route = routeOf(text);
    const refuse = (why: string) => new UsageError(`--route is "${text}": ${why}`);
    if (route.id.trim() === "") throw refuse("expected ID, or ID=/path where it has one of its own");
    if (!/^\/[!-~]*$/.test(route.path) || /[?#\\]/.test(route.path))
      throw refuse(`expected a path that begins with "/", of visible ASCII, without "?", "#" and "\\"`);
    // A gateway may take paths that differ by case alone for one.
    const lower = route.path.toLowerCase();
    const same = taken.find(({ id, path }) => id === route.id || path.toLowerCase() === lower);
    if (same?.id === OTHER_ROUTE)
      throw refuse(`${OTHER_ROUTE} is the route of another session: expected another id and path`);
    if (same !== undefined) throw refuse("given before: expected ids and paths that differ, and not by case alone");
    taken.push(route);
    return route;
  });
}

/** Ids of the catalogue begin with their action. */
function isAbout(action: string, id: string, clauses: readonly string[]): boolean {
  const word = action.toUpperCase().replaceAll("_", "-");
  return id.startsWith(`${word}-`) || clauses.includes(`ACTION-${word}`);
}

async function ownValues(file: string): Promise<OwnValues> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new UsageError(`the values ${file} could not be read: ${messageOf(error)}`);
  }
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

async function output(texts: Texts, file: string | undefined): Promise<void> {
  if (file === undefined) return writeTo(process.stdout, texts);
  try {
    await writeFileWhole(file, texts);
  } catch (error) {
    throw new UsageError(`${file} could not be written: ${messageOf(error)}`);
  }
}

/** What a person has to know of the output, for standard error. */
function remarks({ routes, busiest, random }: Selection, format: string, left: ReadonlyMap<Feature, number>): string {
  const lines = [...left].map(
    ([feature, count]) => `left out, as ${format} cannot carry it: ${count} with ${features[feature]}`,
  );
  if (random === undefined && routes.length > 1) {
    const ids = routes.map(({ id }) => id);
    const shown = ids.length > 3 ? `${ids[0]}, ${ids[1]} ... ${ids.at(-1)}` : ids.join(", ");
    lines.push(
      `routes: ${shown}, and other, of another session; at most ${busiest} requests each, as ${REQUESTS_PER_WINDOW} a minute pass`,
    );
    lines.push("fixtures --format config writes them down for serve --config");
  }
  if (busiest > REQUESTS_PER_WINDOW)
    lines.push(
      `one route gets ${busiest} requests or more, too many for one minute: name more routes with --route, or ${random === undefined ? "none" : "send them slowly"}`,
    );
  return lines.map((line) => `${line}\n`).join("");
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
