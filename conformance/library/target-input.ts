/** The forms in which a program may describe a target, and the target and profile made from them. */
import type { Profile } from "../interface/gaps.ts";
import { readProfile } from "../interface/profile.ts";
import { inProcessTarget, launchOfHandler, type HandlerFactory } from "../targets/in-process.ts";
import type { Launch } from "../targets/launch.ts";
import { pluginTarget } from "../targets/plugin-target.ts";
import { checkTarget, readTarget, targetSchema, type Target } from "../targets/target-file.ts";
import type { z } from "zod";

type TargetFile = z.input<typeof targetSchema>;

/** A target file's fields. Relative paths in it start from the working folder. */
export type TargetFields = TargetFile & { readonly handler?: never; readonly launch?: never };

/** A plugin that a gateway loads: the embedded gateway hosts it, as for `run --plugin`. `plugin`: a file, or an installed package. */
export type PluginTarget = Omit<TargetFile, "name" | "start" | "baseUrl" | "control"> & {
  readonly plugin: string;
  readonly name?: string;
};

/** A request handler inside this process: `handler` makes a request handler for each configuration, and the kit serves it. */
export type HandlerTarget = Omit<TargetFile, "start" | "baseUrl" | "control"> & {
  readonly handler: HandlerFactory;
};

/** Code that starts a server, inside this process or elsewhere. */
export type LaunchTarget = Omit<TargetFile, "start" | "baseUrl" | "control"> & { readonly launch: Launch };

/** A path to a target file, its fields, a plugin, or code of this process. */
export type TargetInput = string | TargetFields | PluginTarget | HandlerTarget | LaunchTarget;

/** Throws `UsageError`. */
export async function targetOf(input: TargetInput): Promise<Target> {
  if (typeof input === "string") return readTarget(input);
  if ("launch" in input && input.launch !== undefined) {
    const { launch, ...fields } = input;
    return inProcessTarget(fields, launch);
  }
  if ("handler" in input && input.handler !== undefined) {
    const { handler, ...fields } = input;
    return inProcessTarget(fields, launchOfHandler(handler, fields.config?.entryId ?? "webhooks"));
  }
  if ("plugin" in input) {
    const { plugin, config, ...fields } = input;
    const usual = pluginTarget({ plugin });
    const merge = { ...usual.config.merge, ...config?.merge };
    return checkTarget({ ...usual, ...fields, config: { ...config, merge } }, process.cwd(), "the target");
  }
  return checkTarget(input, process.cwd(), "the target");
}

/** The named profile, relative to the working folder; by default the target's own, relative to its file. */
export function profileFor(target: Target, named: string | undefined): Promise<Profile> {
  return named === undefined ? readProfile(target.profile, target.folder) : readProfile(named, ".");
}
