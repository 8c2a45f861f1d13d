/** Runs against hostile targets end, say why nothing was passed, and print nothing that acts on a terminal. */
import { expect, test } from "vitest";
import { hostile } from "./index.ts";
import { complaintsAboutShortRun } from "./short-run.test-support.ts";

/** The cheapest one of each part of the runner. `npm run hostile` judges all. */
const chosen = [
  // The transport, beyond what single exchanges (`http/faults.test.ts`) show, and the content of an answer.
  "answers twice, so that the next request on the connection finds its answer there, and then keeps silent",
  "accepts everything, with results that name the prototype",
  // The control port.
  "answers control calls with what is no JSON",
  "gives log lines without end",
];

test.concurrent.each(chosen)(
  "a run against one that %s ends, is explained, passes nothing and can be printed",
  async (what) => {
    const subject = hostile.find(({ does }) => does === what) ?? expect.fail("there is no such target");
    expect(await complaintsAboutShortRun(subject)).toEqual([]);
  },
);
