/** Section 1: blank secrets, clashing paths, and bad route entries that are served. */
import { together, withEntries, withReading, type Entries, type Entry } from "../../changes.ts";
import { letsIn } from "../../lets-in.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Stands for a secret that everybody has. */
const OPEN = "open to all";

/** Routes that a change of the configuration gives no secret are open. */
const opening = (change: Change): Change =>
  together(
    change,
    letsIn(({ secret }) => secret === OPEN),
  );

/** Routes with such a secret let in whoever sends none. */
const opensBlank = (isBlank: (secret: unknown, env: NodeJS.ProcessEnv) => boolean): Change =>
  together(
    withEntries((entry, _id, { env }) => (isBlank(entry["secret"], env) ? { ...entry, secret: OPEN } : entry)),
    letsIn(({ secret, presented }) => secret === OPEN && presented.trim() === ""),
  );

/** Reads every route entry by itself; `mend` returns a replacement for a bad one, or undefined to drop it. */
export const readAlone = (mend: (entry: Entry, id: string) => Entry | undefined): Change =>
  withReading((read, entries) =>
    Object.entries(entries).flatMap(([id, entry]) => {
      try {
        return read({ routes: { [id]: entry } });
      } catch {
        const mended = mend(entry, id);
        return mended === undefined ? [] : read({ routes: { [id]: mended } });
      }
    }),
  );

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? String(Object.values(value).at(-1)) : String(value);

/** Reads groups of routes separately, so that a clash between two groups is not noticed. */
const readApart = (groupsOf: (entries: Entries) => Entries[]): Change =>
  withReading((read, entries) => groupsOf(entries).flatMap((routes) => read({ routes })));

const only = (entries: Entries, wanted: (entry: Entry) => boolean): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([, entry]) => wanted(entry)));

export const badConfiguration: readonly Subject[] = [
  ...failing("CONFIG-WRONG-TYPES", readAlone, {
    "A secret of any type is turned into a text; of a SecretRef that it does not know, its id is the secret": (
      entry,
      id,
    ) => (id.startsWith("secret-") ? { ...entry, secret: textOf(entry["secret"]) } : undefined),
    "A sessionKey of any type is turned into a text": (entry, id) =>
      id.startsWith("session-") ? { ...entry, sessionKey: JSON.stringify(entry["sessionKey"]) } : undefined,
  }),
  ...failing("CONFIG-EMPTY-SECRET", opensBlank, {
    "A route whose secret is blank lets in whoever sends none": (secret) => String(secret).trim() === "",
  }),
  ...failing("CONFIG-EMPTY-VARIABLE", opensBlank, {
    "A secret whose variable is empty is an empty secret, which lets in whoever sends none": (secret, env) =>
      env[(secret as { id?: string } | undefined)?.id ?? ""] === "",
  }),
  ...failing("CONFIG-NO-SECRET", opening, {
    "A route without a secret lets everybody in": withEntries((entry) => ({ secret: OPEN, ...entry })),
  }),
  ...failing("CONFIG-SEVERAL-BAD", opening, {
    "Of several bad routes the first is left out; a later one is served with what it has": readAlone((entry) =>
      "sessionKey" in entry && !("secret" in entry) ? { ...entry, secret: OPEN } : undefined,
    ),
  }),
  ...failing("CONFIG-UNKNOWN-FIELDS", opening, {
    "A route entry that says `public: true` is served without asking for its secret; others with unknown fields are left out":
      readAlone(({ public: open, ...rest }) => (open === true ? { ...rest, secret: OPEN } : undefined)),
  }),
  ...failing(["CONFIG-PATH-SPELLED", "CONFIG-PATH-DUPLICATE"], {
    "Two routes whose paths are one, or differ only in spelling, are taken for one, and whichever secret fits decides":
      together(
        readAlone(() => undefined),
        letsIn(({ presented, route, routes }) =>
          routes.some(({ canonicalPath, secret }) => canonicalPath === route.canonicalPath && secret === presented),
        ),
      ),
  }),
  ...failing(["CONFIG-PATH-CLASH", "CONFIG-PATH-CLASH-DEFAULT"], {
    "Paths are not checked for uniqueness: the last route of a path silently takes the place of the others": readApart(
      (entries) => Object.entries(entries).map(([id, entry]) => ({ [id]: entry })),
    ),
  }),
  ...failing("CONFIG-PATH-CLASH-DEFAULT", {
    "Only paths that are written down are checked for uniqueness, not the default ones": readApart((entries) => [
      only(entries, ({ path }) => path !== undefined),
      only(entries, ({ path }) => path === undefined),
    ]),
  }),
];
