/** Request fixtures: writes the catalogue or a random stream in the format of a tool, or checks recorded answers. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Fixture } from "../../fixtures/fixture.ts";
import { documents, formats } from "../../fixtures/formats/index.ts";
import { carried, features, type Feature, type Format, type WriteOptions } from "../../fixtures/formats/format.ts";
import { byTheme } from "../../fixtures/formats/theme.ts";
import { writeFileWhole, writeTo, type Texts } from "../../fixtures/output.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import { readProfile } from "../interface/profile.ts";
import { oneOf, orUsageError, readOptions, wholeNumber, type Command } from "./command.ts";
import { checkAnswers } from "./fixtures-check.ts";
import { tell } from "./print.ts";
import { choiceOptions, chooseFixtures, type ChosenFixtures } from "./fixtures-selection.ts";

const formatNames = [...Object.keys(formats), ...Object.keys(documents)] as (
  keyof typeof formats | keyof typeof documents
)[];

const options = {
  format: { type: "string" },
  profile: { type: "string", default: "spec" },
  out: { type: "string" },
  "base-url": { type: "string" },
  ...choiceOptions,
  answers: { type: "string" },
} as const;

export const command: Command = {
  async run(args) {
    const { values, positionals } = readOptions("fixtures", args, options, true);
    const [verb, ...more] = positionals;
    if (more.length > 0 || (verb !== undefined && verb !== "check"))
      throw new UsageError(
        `fixtures takes no "${positionals.join(" ")}": check is its one word (see: webhooks-conformance fixtures --help)`,
      );
    const profile = await readProfile(values.profile, ".");
    const chosen = await chooseFixtures(values, profile);
    if (verb === "check") {
      if (values.answers === undefined) throw new UsageError("fixtures check needs --answers FILE");
      if (
        values.out !== undefined ||
        values.format !== undefined ||
        values.workers !== undefined ||
        values["base-url"] !== undefined
      )
        throw new UsageError("fixtures check writes no fixtures: no --out, no --format, no --workers, no --base-url");
      return checkAnswers(values.answers, chosen);
    }
    if (values.answers !== undefined) throw new UsageError("--answers belongs to: fixtures check");
    const name = oneOf("--format", values.format ?? "ndjson", formatNames);
    if (values.workers !== undefined && name !== "ndjson")
      throw new UsageError(`--workers is for --format ndjson, not for ${name}`);
    const baseUrl = baseUrlOf(values["base-url"], name);
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
      const fixtures = carried(chosen.fixtures(), format, leave);
      if (values.out !== undefined && /[/\\]$/.test(values.out)) {
        if (name !== "http" && name !== "rest")
          throw new UsageError(`--out is a folder, expected a file: ${name} is written as one`);
        const written = await writeByTheme(values.out, fixtures, format, baseUrl);
        tell(`${written} files in ${values.out}\n`);
      } else await output(format.write(fixtures, baseUrl), values.out);
    }
    tell(remarks(chosen, name, left));
    return 0;
  },
};

/** Throws `UsageError` for a format without a place for it, and for what is no address. */
function baseUrlOf(text: string | undefined, name: (typeof formatNames)[number]): WriteOptions {
  if (text === undefined) return {};
  const format: Format | undefined = Object.entries(formats).find(([known]) => known === name)?.[1];
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
  format: Format,
  options: WriteOptions,
): Promise<number> {
  const groups = new Map<string, Fixture[]>();
  for (const { theme, fixture } of byTheme(fixtures)) {
    const group = groups.get(theme.name);
    if (group === undefined) groups.set(theme.name, [fixture]);
    else group.push(fixture);
  }
  await orUsageError(`${folder} could not be made`, () => mkdir(folder, { recursive: true }));
  for (const [name, group] of groups)
    await output(format.write(group, options), join(folder, `${name.toLowerCase().replaceAll(/\W+/g, "-")}.http`));
  return groups.size;
}

async function output(texts: Texts, file: string | undefined): Promise<void> {
  if (file === undefined) return writeTo(process.stdout, texts);
  await orUsageError(`${file} could not be written`, () => writeFileWhole(file, texts));
}

/** What the user has to know about the output, for standard error. */
function remarks(
  { routes, busiest, random }: ChosenFixtures,
  format: string,
  left: ReadonlyMap<Feature, number>,
): string {
  const lines = [...left].map(
    ([feature, count]) => `left out, as ${format} cannot carry it: ${count} with ${features[feature]}`,
  );
  if (random === undefined && routes.length > 1) {
    const ids = routes.map(({ id }) => id);
    const shown = ids.length > 3 ? `${ids[0]}, ${ids[1]} ... ${ids.at(-1)}` : ids.join(", ");
    lines.push(
      `routes: ${shown}, and other, of another session; at most ${busiest} requests each, as the limit is ${REQUESTS_PER_WINDOW} a minute`,
    );
    lines.push("fixtures --format config writes these routes as a configuration for serve --config");
  }
  if (busiest > REQUESTS_PER_WINDOW)
    lines.push(
      `one route gets ${busiest} requests or more, too many for one minute: name more routes with --route, or ${random === undefined ? "none" : "send them slowly"}`,
    );
  return lines.map((line) => `${line}\n`).join("");
}
