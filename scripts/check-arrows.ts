/** Checks the arrows between the rooms: who may import whom. The judge never imports the judged. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** A rule forbids imports from files under `from` of files under `to`, but for the exceptions. */
interface Rule {
  readonly from: string;
  readonly to: string;
  readonly except?: (file: string, imported: string) => boolean;
  readonly because: string;
}

const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("test-support");
const isSubject = (file: string) => file.startsWith("conformance/subjects/");

const rules: readonly Rule[] = [
  { from: "plugin/", to: "fakes/", because: "the plugin runs in any gateway, so it knows none" },
  { from: "plugin/", to: "fixtures/", because: "the plugin knows nothing of who judges it" },
  { from: "plugin/", to: "conformance/", because: "the plugin knows nothing of who judges it" },
  { from: "fakes/", to: "conformance/", because: "the fakes know nothing of who judges the plugin" },
  { from: "fakes/", to: "fixtures/", because: "the fakes know nothing of who judges the plugin" },
  {
    from: "fakes/",
    to: "plugin/",
    except: (file, imported) =>
      isTest(file) || imported === "plugin/ports.ts" || (file === "fakes/serve.ts" && imported === "plugin/index.ts"),
    because: "the fakes share the plugin's types only; serve loads it as a gateway loads any plugin",
  },
  { from: "plugin/", to: "mocks/", because: "the plugin runs in any gateway, so it knows none" },
  { from: "fakes/", to: "mocks/", because: "the mocks are made of the fakes, not the other way" },
  { from: "mocks/", to: "conformance/", except: isTest, because: "a mock is judged: it knows nothing of its judge" },
  { from: "mocks/", to: "fixtures/", except: isTest, because: "a mock is judged: it knows nothing of its judge" },
  { from: "fixtures/", to: "mocks/", except: isTest, because: "requests are written from the interface" },
  {
    from: "conformance/",
    to: "mocks/",
    except: (file) => isTest(file) || file === "conformance/cli/serve.ts",
    because: "judge and judged share no code; only the serve command starts the playground",
  },
  { from: "fixtures/", to: "plugin/", except: isTest, because: "requests are written from the interface" },
  { from: "fixtures/", to: "fakes/", except: isTest, because: "requests are written from the interface" },
  { from: "fixtures/", to: "conformance/", except: isTest, because: "the suite takes its requests from the fixtures" },
  {
    from: "conformance/",
    to: "plugin/",
    except: (file) => isTest(file) || isSubject(file),
    because: "judge and judged share no code, or both would be wrong together",
  },
  {
    from: "conformance/",
    to: "fakes/",
    except: (file) => isTest(file) || isSubject(file) || file === "conformance/cli/serve.ts",
    because: "judge and judged share no code; only the serve command starts the fakes",
  },
];

/** Every import of a relative path, as paths from the root of the repository. */
function importsOf(file: string, text: string): string[] {
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...specifiers].map(([, path = ""]) =>
    normalize(join(dirname(file), path))
      .split(sep)
      .join("/"),
  );
}

function sources(folder: string): [file: string, text: string][] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]);
}

/** Every file that a rule bears on, by its path from the root of the repository. */
export const allSources = () => new Map(["plugin", "fakes", "fixtures", "mocks", "conformance"].flatMap(sources));

/** The forbidden imports of these texts, a line each. */
export function forbiddenImports(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((imported) =>
      rules
        .filter(({ from, to, except }) => file.startsWith(from) && imported.startsWith(to) && !except?.(file, imported))
        .map(({ because }) => `${file} imports ${imported}: ${because}`),
    ),
  );
}

if (process.argv[1] === import.meta.filename) {
  const found = forbiddenImports(allSources());
  for (const line of found) process.stderr.write(`${line}\n`);
  process.stdout.write(
    found.length === 0 ? "arrows: every import goes the right way\n" : `${found.length} forbidden imports\n`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}
