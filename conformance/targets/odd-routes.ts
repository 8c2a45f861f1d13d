/** Texts of a configuration that careless code changes, converts or takes for something else. */
import type { StandardRoute } from "./standard-routes.ts";

const plain = { secret: "env" } as const;

/**
 * Ids of signs that a path holds as they are, whether or not some encoders spare them (RFC 3986, 3.3): with capitals, with the
 * form of a number, and names that every JavaScript object has.
 */
export const oddIds = ["Mixed-Case", "constructor", "toString", "1e3", "a+b:c@d"].map((id) => ({
  id,
  session: `odd-${id.toLowerCase()}`,
  ...plain,
}));

/** An id that careless code converts to a number. */
export const digits: StandardRoute = { id: "42", session: "odd-digits", ...plain };

/** Texts that HTTP and JSON carry as they are, so that each of these routes is served as it is configured. */
export const oddTexts: readonly StandardRoute[] = [
  // Differs from `Mixed-Case` by letter case alone.
  { id: "mixed-case", path: "/hooks/mixed-case", session: "odd-other-case", secret: "inline" },
  // RFC 3986, 3.3: every sign that may stand in a path, and encoded ones that stay as they are.
  { id: "path-signs", path: "/hooks/a+b;v=1,(c)!$&'*=:@", session: "path-signs", ...plain },
  { id: "path-percent", path: "/hooks/100%25/caf%C3%A9", session: "path-percent", ...plain },
  // One key for who decodes them as a part of a URL, or of a form.
  { id: "session-blank", session: "odd a", ...plain },
  { id: "session-percent", session: "odd%20a", ...plain },
  { id: "session-plus", session: "odd+a", ...plain },
  // One key for who normalises text; the next one ends in a letter and an accent.
  { id: "session-accent", session: "caf\u00e9", ...plain },
  { id: "session-letter", session: "cafe\u0301", ...plain },
  { id: "controller-signs", session: "controllers", controllerId: 'a b/%41:"\u00e9"\'\\<&>.', ...plain },
  { id: "controller-name", session: "controllers", controllerId: "constructor", ...plain },
  // Which Bearer could not carry; a header's value can.
  { id: "secret-signs", session: "secret-signs", secret: "inline", secretWith: ' two, "words" %41;=:\'\\<{(#+' },
];

/** Its secret has a letter beyond ASCII whose lowest byte is that of `A`. How a header carries it is open. */
export const letterSecret = {
  id: "secret-letter",
  session: "secret-letter",
  secret: "inline",
  secretWith: "\u0141",
} as const satisfies StandardRoute;

/** Two sessions behind one secret. Section 1 advises against it, so a target may refuse it. */
export const oneSecret: readonly StandardRoute[] = [
  { id: "one-secret", session: "one-secret", secret: "inline" },
  { id: "the-same-secret", session: "the-same-secret", secret: "inline", secretOf: "one-secret" },
];

/** Ids that their default path has to encode, that divide it, or that a reader of JSON may leave out: a target may refuse them. */
export const refusableIds: readonly StandardRoute[] = ["a blank", "50%-off", "caf\u00e9", "slash/id", "__proto__"].map(
  (id, index) => ({ id, session: `refusable-${index}`, ...plain }),
);
