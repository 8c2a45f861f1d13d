/** What the library takes for a target, and how it becomes one. */
import { launchedTarget, launchOfHandler } from "../targets/in-process.ts";
import type { HandlerFactory } from "../targets/handler.ts";
import type { Launch } from "../targets/launch.ts";
import { checkTarget, readTarget, targetSchema, type Target } from "../targets/target-file.ts";
import type { z } from "zod";

type TargetFile = z.input<typeof targetSchema>;

/** A target file's fields. Relative paths in it start from the working folder. */
export type TargetFields = TargetFile & { readonly handler?: never; readonly launch?: never };

/** A plugin inside this process: the kit serves the handler that `handler` makes for each configuration. */
export type HandlerTarget = Omit<TargetFile, "start" | "baseUrl" | "control"> & {
  readonly handler: HandlerFactory;
};

/** Code that brings a server up inside this process or elsewhere. */
export type LaunchTarget = Omit<TargetFile, "start" | "baseUrl" | "control"> & { readonly launch: Launch };

/** A path to a target file, its fields, or code of this process. */
export type TargetInput = string | TargetFields | HandlerTarget | LaunchTarget;

/** Throws `UsageError`. */
export async function targetOf(input: TargetInput): Promise<Target> {
  if (typeof input === "string") return readTarget(input);
  if ("launch" in input && input.launch !== undefined) {
    const { launch, ...fields } = input;
    return launchedTarget(fields, launch);
  }
  if ("handler" in input && input.handler !== undefined) {
    const { handler, ...fields } = input;
    return launchedTarget(fields, launchOfHandler(handler, fields.config?.entryId ?? "webhooks"));
  }
  return checkTarget(input, process.cwd(), "the target");
}
