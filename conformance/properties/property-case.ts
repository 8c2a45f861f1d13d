/** A property as a case of the suite. */
import type { Case } from "../harness/case.ts";
import { NotApplicable } from "../harness/case-errors.ts";
import { REQUESTS_PER_WINDOW } from "../interface/limits.ts";
import type { Property } from "./definitions/property.ts";
import { httpExecutors } from "../oracle/play/executor.ts";
import { takenForms } from "../oracle/request-forms.ts";
import { search, SEARCH_MS } from "./search.ts";
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
      const found = await search(property, { profile, executor: httpExecutors(trial), seed, signal, forms });
      const at = { profile: profile.name, target: trial.server.target.name };
      if (found !== undefined) throw storyFailure(id, found, seed, at);
    },
  };
}
