/** A subject or a stub as a process of its own: `serve.ts --subject ID --config FILE --port N --control-port M`. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../../fakes/errors.ts";
import { broken } from "./broken/index.ts";
import { different } from "./different/index.ts";
import { hostile } from "./hostile/index.ts";
import { startSubject } from "./start.ts";
import { startStub, stubs } from "./stubs.ts";
import type { Document } from "./subject.ts";

const text = { type: "string" } as const;
const options = { subject: text, config: text, port: text, "control-port": text };

async function start(): Promise<() => Promise<void>> {
  const { values } = parseArgs({ options });
  const { subject: id, config = "" } = values;
  const [port, controlPort] = [Number(values.port ?? 0), Number(values["control-port"] ?? 0)];
  const stub = stubs.find((known) => known.id === id);
  if (stub !== undefined) return (await startStub(stub, port, controlPort)).stop;
  const subject = [...broken, ...different, ...hostile].find((known) => known.id === id);
  if (subject === undefined && id !== "reference") throw new StartError(`There is no subject ${id}.`);
  const file = resolve(config);
  const { close } = await startSubject({
    change: subject?.change ?? {},
    document: JSON.parse(await readFile(file, "utf8")) as Document,
    configDir: dirname(file),
    env: process.env,
    port,
    controlPort,
    log: (line) => void process.stderr.write(`${line}\n`),
  });
  return close;
}

try {
  const close = await start();
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await close();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
