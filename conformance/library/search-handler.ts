/** `searchHandler`: runs the properties on a handler that is called directly, without server, port or process. */
import { readProfile } from "../interface/profile.ts";
import { shortfallOf } from "../properties/property-case.ts";
import { directExecutors } from "../properties/play/direct-executor.ts";
import { properties } from "../properties/index.ts";
import { search } from "../properties/search.ts";
import { failureOf } from "../properties/tell.ts";
import type { StoryReport } from "../harness/outcome.ts";
import type { HandlerFactory } from "../targets/handler.ts";
import { newStateFolder, removeStateFolder } from "../targets/state-folder.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** The longest wait for one answer, ms. */
const ANSWER_MS = 20_000;

export interface HandlerSearchOptions {
  /** A shipped profile's name, or a path to one of your own; `spec` by default. */
  readonly profile?: string;
  /** The first seed; 1 by default. */
  readonly seed?: number;
  /** How many seeds; one by default. */
  readonly runs?: number;
  /** The name in `x-<product>-webhook-secret`; `service` by default. */
  readonly product?: string;
  /** Ends the search early: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface HandlerFinding {
  /** The id of the property's case. */
  readonly property: string;
  readonly expected: string;
  readonly actual: string;
  /** The requests that show the fault; `story.replay` is a replay file. */
  readonly story: StoryReport;
}

export interface HandlerSearch {
  /** The number of requests that were answered and judged. */
  readonly requests: number;
  /** The first fault that each property found. */
  readonly found: readonly HandlerFinding[];
  /** Properties that did not exercise all that they should, or saw something wrong only once, and why. */
  readonly unreached: readonly { readonly property: string; readonly reason: string }[];
  /** The last error that a handler threw. */
  readonly thrown?: string;
}

/** See `searchHandler`. */
export async function searchProperties(make: HandlerFactory, options: HandlerSearchOptions): Promise<HandlerSearch> {
  if (typeof make !== "function")
    throw new UsageError(`searchHandler got ${typeof make}, expected a function that makes a handler`);
  const { seed: first = 1, runs = 1, product = "service", signal } = options;
  if (![first, runs].every(Number.isSafeInteger) || first < 0 || runs < 1) {
    throw new UsageError(`seed is ${first} and runs is ${runs}, expected whole numbers from 0 and from 1`);
  }
  signal?.throwIfAborted();
  const profile = await readProfile(options.profile ?? "spec", ".");
  const stateDir = await newStateFolder();
  const found: HandlerFinding[] = [];
  const unreached: { property: string; reason: string }[] = [];
  let requests = 0;
  let thrown: string | undefined;
  const log = (text: string) => void (thrown = text);
  try {
    const executor = directExecutors(async (setup) => ({ handler: await make(setup) }), {
      product,
      stateDir,
      timeoutMs: ANSWER_MS,
      log,
    });
    for (const property of properties) {
      for (let seed = first; seed < first + runs; seed += 1) {
        const result = await search(property, { profile, executor, depth: { seed }, signal });
        signal?.throwIfAborted();
        requests += result.requests;
        const { id } = property;
        if (result.found !== undefined) {
          const at = { profile: profile.name, target: "a handler" };
          const { expected, actual, story } = failureOf(id, result.found, { seed }, at);
          found.push({ property: id, expected, actual, story });
          break;
        }
        const reason = shortfallOf(property, result, profile);
        if (reason !== undefined) unreached.push({ property: id, reason });
      }
    }
  } finally {
    await removeStateFolder(stateDir);
  }
  return { requests, found, unreached, ...(thrown !== undefined && { thrown }) };
}
