/** Request fixtures: writes the catalogue or random ones in the format of a tool, or checks recorded answers. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Fixture } from "../../fixtures/fixture.ts";
import { documents, formats } from "../../fixtures/formats/index.ts";
import {
  carried,
  features,
  type Feature,
  type FixtureFormat,
  type WriteOptions,
} from "../../fixtures/formats/format.ts";
import { byTheme } from "../../fixtures/formats/theme.ts";
import { isOpen, knowsFields } from "../interface/outcomes.ts";
import { grouped } from "../foundation/grouped.ts";
import { writeTexts, writeTo, type Texts } from "../../fixtures/output.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { number } from "../report/facts.ts";
import { oneOf, orUsageError, readOptions } from "./command.ts";
import { checkAnswers } from "./fixtures-check.ts";
import { tell } from "./print.ts";
import { choiceOptions, chooseFixtures, queryOf, type ChosenFixtures } from "./fixtures-selection.ts";

const formatNames = [...Object.keys(formats), ...Object.keys(documents)] as (
  keyof typeof formats | keyof typeof documents
)[];

const options = {
  format: { type: "string", default: "ndjson" },
  out: { type: "string" },
  "base-url": { type: "string" },
  ...choiceOptions,
} as const;

const checkOptions = { fixtures: { type: "string" }, answers: { type: "string" } } as const;

export async function command(args: string[]): Promise<number> {
  if (args[0] === "check") {
    const { values } = readOptions("fixtures", args.slice(1), checkOptions);
    if (values.fixtures === undefined || values.answers === undefined)
      throw new UsageError("fixtures check needs --fixtures FILE, as it was written, and --answers FILE");
    return checkAnswers(values.fixtures, values.answers);
  }
  const { format, out, "base-url": baseUrl, ...choice } = readOptions("fixtures", args, options).values;
  const name = oneOf("--format", format, formatNames);
  const how = { ...baseUrlOf(baseUrl, name), madeWith: queryOf(choice) };
  const chosen = await chooseFixtures(choice);
  const tally: Tally = { all: 0, open: 0, left: new Map() };
  const fixtures = counted(chosen.fixtures, tally);
  if (name === "openapi" || name === "schema" || name === "config") {
    for (const _ of fixtures);
    await output([documents[name].write(chosen.profile, chosen.places.routes)], out);
    return 0;
  }
  const leave = (_: Fixture, feature: Feature) => tally.left.set(feature, (tally.left.get(feature) ?? 0) + 1);
  const fitting = carried(fixtures, formats[name], leave);
  if (out !== undefined && /[/\\]$/.test(out)) {
    if (name !== "http" && name !== "rest")
      throw new UsageError(`--out is a folder, expected a file: ${name} is written as one`);
    const written = await writeByTheme(out, fitting, formats[name], how);
    tell(`${number(written, "file")} in ${out}\n`);
  } else await output(formats[name].write(fitting, how), out);
  tell(remarks(chosen, name, tally));
  return 0;
}

interface Tally {
  all: number;
  /** Fixtures that expect no more of the answer than its envelope. */
  open: number;
  readonly left: Map<Feature, number>;
}

function* counted(fixtures: Iterable<Fixture>, tally: Tally): Generator<Fixture, void, undefined> {
  for (const fixture of fixtures) {
    tally.all += 1;
    if (isOpen(fixture.expect)) tally.open += 1;
    yield fixture;
  }
}

/** Throws `UsageError` for a format without a place for it, and for what is no address. */
function baseUrlOf(text: string | undefined, name: (typeof formatNames)[number]): WriteOptions {
  if (text === undefined) return {};
  const format: FixtureFormat | undefined = Object.entries(formats).find(([known]) => known === name)?.[1];
  if (format?.takesBaseUrl !== true)
    throw new UsageError(`--base-url is not for --format ${name}: it has no place for it`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isPlain || url.search !== "" || url.hash !== "")
    throw new UsageError("--base-url: expected an http or https address without a user, a query and a fragment");
  return { baseUrl: url.href.replace(/\/+$/, "") };
}

/** Writes a file for each theme into a folder, which is made if it is not there. Returns how many. */
async function writeByTheme(
  folder: string,
  fixtures: Iterable<Fixture>,
  format: FixtureFormat,
  options: WriteOptions,
): Promise<number> {
  const groups = grouped(byTheme(fixtures), ({ theme }) => theme.name);
  await orUsageError(`${folder} could not be made`, () => mkdir(folder, { recursive: true }));
  for (const [name, members] of groups) {
    const file = join(folder, `${name.toLowerCase().replaceAll(/\W+/g, "-")}.http`);
    const own = members.map(({ fixture }) => fixture);
    await output(format.write(own, options), file);
  }
  return groups.size;
}

async function output(texts: Texts, file: string | undefined): Promise<void> {
  if (file === undefined) return writeTo(process.stdout, texts);
  await orUsageError(`${file} could not be written`, () => writeTexts(file, texts));
}

function remarks({ profile, places }: ChosenFixtures, format: string, { all, open, left }: Tally): string {
  const lines = [...left].map(
    ([feature, count]) => `left out, as ${format} cannot carry it: ${count} with ${features[feature]}`,
  );
  const { routes, busiest } = places;
  if (routes.length > 1) {
    const ids = routes.map(({ id }) => id);
    const shown = ids.length > 3 ? `${ids[0]}, ${ids[1]} ... ${ids.at(-1)}` : ids.join(", ");
    lines.push(
      `routes: ${shown}, and other, of another session; at most ${number(busiest, "request")} each, as the limit is ${REQUESTS_PER_WINDOW} a minute`,
      "the same options with --format config write these routes as a configuration for serve --config",
    );
  }
  if (busiest > REQUESTS_PER_WINDOW)
    lines.push(
      `one route gets ${busiest} requests, too many for one minute: send them slowly, or name more routes, or none`,
    );
  if (open > 0 && !knowsFields(profile))
    lines.push(
      `${all - open} of ${all} fixtures expect an answer; of ${open} only the envelope is expected, as profile ${profile.name} leaves the rest open: --profile reference expects more`,
    );
  return lines.map((line) => `${line}\n`).join("");
}
