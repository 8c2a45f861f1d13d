/** Puts the profiles' JSON beside the compiled code that reads them. */
import { cpSync } from "node:fs";

const profiles = "conformance/interface/profiles/";
cpSync(new URL(`../${profiles}`, import.meta.url), new URL(`../dist/${profiles}`, import.meta.url), {
  recursive: true,
});
