/** A subject as a process of its own: `serve.ts --subject ID --config FILE --port N --control-port M`. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../../fakes/errors.ts";
import { broken } from "./broken/index.ts";
import { different } from "./different/index.ts";
import { hostile } from "./hostile/index.ts";
import { startSubject } from "./start.ts";
import type { Change, Document } from "./subject.ts";

const text = { type: "string" } as const;
const options = { subject: text, config: text, port: text, "control-port": text };

function changeOf(id: string | undefined): Change {
  const subject = [...broken, ...different, ...hostile].find((known) => known.id === id);
  if (subject !== undefined) return subject.change;
  if (id === "reference") return {};
  throw new StartError(`There is no subject ${id}.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const file = resolve(values.config ?? "");
  const subject = await startSubject({
    change: changeOf(values.subject),
    document: JSON.parse(await readFile(file, "utf8")) as Document,
    configDir: dirname(file),
    env: process.env,
    port: Number(values.port ?? 0),
    controlPort: Number(values["control-port"] ?? 0),
    log: (line) => void process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`listening on ${subject.gateway.url}\ncontrol on ${subject.control.url}\n`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await subject.close();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
