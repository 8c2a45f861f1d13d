/** Request fixtures: writes the catalogue or a random stream in the format of a tool, or checks recorded answers. */
import type { Fixture } from "../../fixtures/fixture.ts";
import { documents, formats } from "../../fixtures/formats/index.ts";
import { carried, features, type Feature } from "../../fixtures/formats/format.ts";
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
    tell(remarks(chosen, name, left));
    return 0;
  },
};

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
