/** The cases whose outcome on a mock differs from that on a socket, and what the mock lacks. */

export interface Difference {
  readonly what: string;
  readonly mocks: readonly ("msw" | "undici")[];
  readonly cases: readonly string[];
}

export const differences: readonly Difference[] = [
  {
    what: "One client address: a mock has one client, so what needs several cannot be judged.",
    mocks: ["msw", "undici"],
    cases: [
      "RATE-KEY-ADDRESS",
      "LIMITS-4096-KEYS",
      "IN-FLIGHT-KEY-ADDRESS",
      "RATE-EVERY-REQUEST",
      "RATE-COLD-ROUTE",
      "IN-FLIGHT-EVERY-REQUEST",
      "BODY-TIME-EVERY-REQUEST",
      "PROPERTY-ORDER",
      "PROPERTY-STATES",
      "PROPERTY-REVISIONS",
      "PROPERTY-RUN-TASK",
      "PROPERTY-LEAKAGE",
      "PROPERTY-LIMITS",
      "PROPERTY-RACES",
      "PROPERTY-NOT-STORED",
    ],
  },
  {
    what: "No log: a mock writes none.",
    mocks: ["msw", "undici"],
    cases: ["LEAK-LOG"],
  },
  {
    what: "No slow bodies: msw hands over a body that is whole, so it never times out and holds no in-flight slot, and no answer comes before its end.",
    mocks: ["msw"],
    cases: [
      "IN-FLIGHT-9-REFUSED",
      "IN-FLIGHT-FREED",
      "IN-FLIGHT-AT-ONCE",
      "LIMITS-CLIENT-NAMED",
      "LIMITS-PATH-SPELLED",
      "ORDER-LIMITS-FIRST",
      "ORDER-LIMITS-AFTER",
      "IN-FLIGHT-KEY-PATH",
      "IN-FLIGHT-ACROSS-WINDOWS",
      "IN-FLIGHT-FREED-TIMEOUT",
      "ORDER-METHOD-ANSWERED-EARLY",
      "ORDER-CONTENT-TYPE-ANSWERED-EARLY",
      "ORDER-RATE-ANSWERED-EARLY",
      "ORDER-IN-FLIGHT-ANSWERED-EARLY",
      "ORDER-AUTH-ANSWERED-EARLY",
      "BODY-DRIP-15-SECONDS",
      "BODY-15-SECONDS",
      "BODY-LATE-NOT-CARRIED-OUT",
      "GAP-REFUSED-IN-FLIGHT",
      "GAP-REFUSED-TIMEOUT",
    ],
  },
  {
    what: "No head without a body: undici writes the head with the body's first bytes, so a body that begins late, or never, is seen late.",
    mocks: ["undici"],
    cases: ["BODY-DRIP-15-SECONDS", "BODY-LATE-NOT-CARRIED-OUT"],
  },
  {
    what: "No 100 Continue: a mock's client sends the body unasked.",
    mocks: ["msw", "undici"],
    cases: ["ORDER-CONTINUE-AFTER-CHECKS"],
  },
  {
    what: "No runtime that leaves a check to its plugin: a mock's own refuses what the plugin should have refused.",
    mocks: ["msw", "undici"],
    cases: ["NEVER-LEFT-TO-RUNTIME"],
  },
];

/** The ids of the cases that differ on a mock. */
export function differingCases(mock: string): Set<string> {
  return new Set(differences.filter(({ mocks }) => mocks.some((name) => name === mock)).flatMap(({ cases }) => cases));
}

/** The list as docs/MOCKS.md has it. */
export function differencesList(): string {
  return differences.map(({ what, mocks }) => `- ${what} (${mocks.join(" and ")})`).join("\n");
}
