/** A property as a case of the suite. */
import type { Case } from "../harness/case.ts";
import { NotApplicable, Unreached } from "../harness/case-errors.ts";
import type { Profile } from "../interface/gaps.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import type { Property } from "./definitions/property.ts";
import { httpExecutors } from "../oracle/play/executor.ts";
import { takenForms } from "../oracle/request-forms.ts";
import { search, SEARCH_MS, type Searched } from "./search.ts";
import { SHRINK_MS } from "./shrink/shrink.ts";
import { storyFailure } from "./tell.ts";

const ONE_ADDRESS = "the target does not tell client addresses apart: a minute's requests are too few for a property";

export function propertyCase(property: Property, seed: number): Case {
  const { id, title, clauses, gaps, needs = [], reading } = property;
  return {
    id,
    title,
    clauses,
    ...(gaps && { gaps }),
    alone: true,
    costly: true,
    needs: ["addresses", ...needs],
    meetsLimits: true,
    requests: REQUESTS_PER_WINDOW,
    longestMs: SEARCH_MS + SHRINK_MS,
    reading,
    async run(trial) {
      if (!trial.toldApart) throw new NotApplicable(ONE_ADDRESS);
      const { profile, signal } = trial;
      const forms = await takenForms(trial);
      const searched = await search(property, { profile, executor: httpExecutors(trial), seed, signal, forms });
      const { found } = searched;
      const at = { profile: profile.name, target: trial.server.target.name };
      if (found !== undefined) throw storyFailure(id, found, seed, at);
      const shortfall = shortfallOf(property, searched, profile);
      if (shortfall !== undefined) throw new Unreached(shortfall);
    },
  };
}

/**
 * Why a search that found nothing proves less than it should; undefined where it does not. A slow target has fewer runs
 * in the time for them: its runs are enough where each thing that a run has to meet was met a few times.
 */
export function shortfallOf(property: Property, { runs, visits }: Searched, { gaps }: Profile): string | undefined {
  const { coverageGap, runs: asked } = property;
  const gap = coverageGap?.(visits, gaps)?.reason;
  const whole = `${runs} of ${asked} runs in the ${SEARCH_MS / 1000} s for them`;
  if (runs >= asked || (gap === undefined && (coverageGap !== undefined || runs > 0))) return gap;
  return `the target is too slow: ${whole}${gap === undefined ? "" : `; ${gap}`}`;
}
