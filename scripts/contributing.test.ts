/** CONTRIBUTING.md names what is there: its files and folders, the tables and functions in them, and the commands. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("CONTRIBUTING.md");
const prose = page.replaceAll(/^ *```.*?^ *```$/gms, "");
/** The page leaves out where a path begins when its context says it. */
const places = ["", "conformance", "conformance/proof", "conformance/proof/broken"];
const placeOf = (path: string) => places.map((place) => join(place, path)).find((one) => existsSync(join(root, one)));
const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);

test("files and folders", () => {
  const linked = [...prose.matchAll(/\]\(([^)#]+)/g)].map(([, path = ""]) => path);
  const paths = quoted.filter(
    (text) => /^[a-z][\w.-]*\/[\w./-]*$/.test(text) && !text.startsWith("webhooks-conformance/"),
  );
  expect(paths.length).toBeGreaterThan(20);
  expect([...linked, ...paths].filter((path) => placeOf(path) === undefined)).toEqual([]);
});

/** Whether a file declares a table or function. */
const isThere = ([file = "", name = ""]: readonly (string | undefined)[]) =>
  new RegExp(`\\b(?:const|function) ${name}\\b`).test(read(placeOf(file) ?? "package.json"));

test("tables and functions, each in the file that the page names beside it", () => {
  const path = /\[?`([\w./-]+\.ts)`(?:\]\([^)]+\))?/.source;
  const found = [
    ...[...prose.matchAll(new RegExp(`\`(\\w+)\`(?: or \`\\w+\`)? (?:of|in)\\s+(?:the table )?${path}`, "g"))].map(
      ([, name, file]) => [file, name],
    ),
    ...[...prose.matchAll(new RegExp(`${path}: its (?:table|list) \`(\\w+)\``, "g"))].map(([, file, name]) => [
      file,
      name,
    ]),
    ...[...prose.matchAll(/\[`(\w+)`\]\(([\w./-]+\.ts)\)/g)].map(([, name, file]) => [file, name]),
  ];
  expect(found.map(([, name]) => name)).toEqual(
    expect.arrayContaining(["methodCases", "refusals", "actions", "situations", "openValues"]),
  );
  expect(found.filter((one) => !isThere(one))).toEqual([]);
});

test("other functions, each declared in some file", () => {
  const rooms = ["conformance", "fixtures", "plugin"];
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true }).map((file) => join(room, String(file))),
  );
  const sources = files
    .filter((file) => /(?<!test)\.ts$/.test(file))
    .map(read)
    .join("\n");
  const names = quoted.filter((text) => /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text));
  expect(names).toContain("withoutCommands");
  expect(names.filter((name) => !new RegExp(`\\b(?:const|function) ${name}\\b`).test(sources))).toEqual([]);
});

test("commands", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...page.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test("the CI tries the oldest Node that the package names", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  const [, oldest] = /node: \["([\d.]+)"/.exec(read(".github/workflows/ci.yml")) ?? [];
  expect(engines.node).toBe(`>=${oldest}`);
});
