/** Section 1: blank secrets, clashing paths, and bad route entries that are served. */
import type { Change } from "../../subject.ts";
import { alsoAuthenticates, together, perStart, withEntries, withReading } from "../../changes.ts";
import { acceptsSecretsOf } from "../../secrets-of-others.ts";
import { failing, type Subject } from "../../subject.ts";

type Entry = Record<string, unknown>;

const letsBlankIn = alsoAuthenticates(
  (_request, secret, presented = "") => secret === "blank" && presented.trim() === "",
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

/** Routes whose paths are spellings of one path accept each other's secrets. Bad routes are dropped. */
const sharedSpellings: Change = together(
  readAlone(() => undefined),
  acceptsSecretsOf((other, { canonicalPath }) => other.canonicalPath === canonicalPath),
);

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? String(Object.values(value).at(-1)) : String(value);

const openToAll = alsoAuthenticates((_request, secret) => secret === "open to all");

type Entries = Record<string, Entry>;

/** Reads groups of routes separately, so that a clash between two groups is not noticed. */
const readApart = (groupsOf: (entries: Entries) => Entries[]): Change =>
  withReading((read, entries) => groupsOf(entries).flatMap((routes) => read({ routes })));

const only = (entries: Entries, wanted: (entry: Entry) => boolean): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([, entry]) => wanted(entry)));

export const badConfiguration: readonly Subject[] = [
  ...failing("CONFIG-WRONG-TYPES", {
    "A secret of any type is turned into a text; of a SecretRef that it does not know, its id is the secret": readAlone(
      (entry, id) => (id.startsWith("secret-") ? { ...entry, secret: textOf(entry["secret"]) } : undefined),
    ),
    "A sessionKey of any type is turned into a text": readAlone((entry, id) =>
      id.startsWith("session-") ? { ...entry, sessionKey: JSON.stringify(entry["sessionKey"]) } : undefined,
    ),
  }),
  ...failing("CONFIG-EMPTY-SECRET", {
    "A route whose secret is blank lets in whoever sends none": together(
      withEntries((entry) => (String(entry["secret"]).trim() === "" ? { ...entry, secret: "blank" } : entry)),
      letsBlankIn,
    ),
  }),
  ...failing("CONFIG-EMPTY-VARIABLE", {
    "A secret whose variable is empty is an empty secret, which lets in whoever sends none": together(
      perStart(({ env }) => {
        const isEmpty = (secret: unknown) => env[(secret as { id?: string } | undefined)?.id ?? ""] === "";
        return withEntries((entry) => (isEmpty(entry["secret"]) ? { ...entry, secret: "blank" } : entry));
      }),
      letsBlankIn,
    ),
  }),
  ...failing("CONFIG-SEVERAL-BAD", {
    "Of several bad routes the first is left out; a later one is served with what it has": together(
      readAlone((entry) =>
        "sessionKey" in entry && !("secret" in entry) ? { ...entry, secret: "open to all" } : undefined,
      ),
      openToAll,
    ),
  }),
  ...failing(["CONFIG-PATH-SPELLED", "CONFIG-PATH-DUPLICATE"], {
    "Two routes whose paths are one, or differ only in spelling, are taken for one, and whichever secret fits decides":
      sharedSpellings,
  }),
  ...failing("CONFIG-UNKNOWN-FIELDS", {
    "A route entry that says `public: true` is served without asking for its secret; others with unknown fields are left out":
      together(
        readAlone(({ public: open, ...rest }) => (open === true ? { ...rest, secret: "open to all" } : undefined)),
        openToAll,
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
