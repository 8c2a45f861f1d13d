/** Puts the profiles' JSON beside the compiled code that reads them. */
import { copyFileSync, readdirSync } from "node:fs";

const from = new URL("../conformance/profiles/", import.meta.url);
const to = new URL("../dist/conformance/profiles/", import.meta.url);
for (const name of readdirSync(from)) {
  if (name.endsWith(".json")) copyFileSync(new URL(name, from), new URL(name, to));
}
