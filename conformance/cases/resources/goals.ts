/** Section 2: a goal is the text given at creation, whatever its characters and its length. */
import { createFlow } from "../../interface/bodies.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, mustRefuse, setUp } from "../../harness/checks.ts";
import { guarded, mustShow, readBack } from "../../harness/flows.ts";

/** Texts that code mangles: other scripts, characters with a meaning in other notations, words that look like values. */
const goals = {
  UNICODE: [
    "Grüße aus Zürich, 世界, שלום",
    "🚀 👩‍👩‍👧‍👦",
    "e\u0301 is not \u00e9",
    "\u{10fffd}",
    "one line\u2028another\u2029a third",
    "no\ufeff mark, no\u200b width, \u202eturned",
    "\ufdd0 and \uffff are no characters",
  ],
  SIGNS: [
    '"quoted" and \\ back',
    "two\nlines\tand a tab",
    "</script><!--",
    "%00 %20 ${x} {{y}} $& '; --",
    "see https://example.org/x?a=1#b /* c */",
    "a NUL\u0000and what follows",
    "C:\\new\\table\r\nits next line",
    "control \u0001 \u001b[31m \u007f \u0085",
  ],
  LITERALS: ["null", "0", "true", "[object Object]", "__proto__", "{}", "007", "1e3", "MiXeD CaSe", "2026-01-01"],
};

/** A target may refuse the characters of these; the others are plain words. */
const refusable = ["UNICODE", "SIGNS"];

/** Refused for the request itself: a 4xx other than 401. */
function isRefused(exchange: Exchange): boolean {
  const { status = 0 } = exchange.answer ?? {};
  return !isAccepted(exchange) && status >= 400 && status < 500 && status !== 401;
}

const exactCases: readonly Case[] = Object.entries(goals).map(([id, texts]) => ({
  id: `ACTION-GOAL-${id}`,
  title: `A goal is kept as it was given: ${id.toLowerCase()}`,
  clauses: ["FLOW-GOAL"],
  requests: 2 * texts.length + 1,
  ...(refusable.includes(id) && {
    reading: "Which characters a goal may have is open, but an accepted goal must be shown as it was given.",
  }),
  async run(trial) {
    setUp(await trial.post(createFlow("a plain goal")), "create_flow");
    let taken = 0;
    for (const goal of texts) {
      const exchange = await trial.post(createFlow(goal));
      if (isRefused(exchange) && refusable.includes(id)) continue;
      taken += 1;
      mustAccept(exchange);
      await mustShow(trial, exchange, flowOf(exchange).flowId, "goal", goal);
    }
    if (taken === 0) throw new NotApplicable("the target takes no goals with such characters");
  },
}));

/** Beyond a page of 4,096 and beyond 16 bits, and well within the size of a body. */
const LENGTHS = [5_000, 70_000];

const longCase: Case = {
  id: "ACTION-GOAL-LONG",
  title: "A long goal is kept whole or refused, never cut",
  clauses: ["FLOW-GOAL"],
  requests: 8,
  reading: "How long a goal may be is open (section 8), but an accepted goal must be shown as it was given.",
  async run(trial) {
    setUp(await trial.post(createFlow("a short goal")), "create_flow");
    await guarded(trial, trial.route);
    let taken = 0;
    for (const length of LENGTHS) {
      const goal = "long goal ".repeat(length / 10 - 1) + "to the end";
      const exchange = await trial.post(createFlow(goal));
      if (isAccepted(exchange)) {
        taken += 1;
        await mustShow(trial, exchange, flowOf(exchange).flowId, "goal", goal);
      } else mustRefuse(exchange);
    }
    if (taken === 0) throw new NotApplicable("the target takes no long goals");
  },
};

/** White space around a text may be trimmed; half of a pair of surrogates is no text that an answer could hold. */
const edges: readonly { readonly goal: string; readonly isKept: (shown: string, goal: string) => boolean }[] = [
  ...["  blanks around it  ", "\t\r\nlines around it\n", "\u00a0other blanks around it\u3000"].map((goal) => ({
    goal,
    isKept: (shown: string) => shown === goal || shown === goal.trim(),
  })),
  ...["half \ud83d of one", "half \ude80 of one"].map((goal) => ({
    goal,
    isKept: (shown: string) => /^half [^a-z]* of one$/u.test(shown),
  })),
];

const edgeCase: Case = {
  id: "ACTION-GOAL-EDGES",
  title: "Of a goal only the white space around it may go, and only half a character may be replaced",
  clauses: ["FLOW-GOAL"],
  requests: 14,
  reading: "What is no text in Unicode may be refused or replaced; the text around it is kept.",
  async run(trial) {
    setUp(await trial.post(createFlow("a plain goal")), "create_flow");
    for (const { goal, isKept } of edges) {
      const exchange = await trial.post(createFlow(goal));
      if (isRefused(exchange)) continue;
      const { flowId, goal: answered } = flowOf(mustAccept(exchange));
      const shown = [answered, (await readBack(trial, flowId))?.["goal"]].filter((text) => text !== undefined);
      const isWhole = shown.every((text) => typeof text === "string" && isKept(text, goal));
      check(isWhole, "the goal, or the goal without white space around it", "another one", exchange);
    }
    await guarded(trial, trial.route);
  },
};

export const goalCases: readonly Case[] = [...exactCases, longCase, edgeCase];
