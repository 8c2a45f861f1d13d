/** Subjects: implementations that differ from the kit's own in one known thing, so that the suite itself can be judged. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ManagedFlowsFake, ManagedFlowsOptions } from "../../fakes/managed-flows.ts";
import type { GatewayApi, Parts } from "../../plugin/index.ts";
import type { Clock } from "../../plugin/ports.ts";

/** What a subject was started with. */
export interface Origin {
  /** The configuration document, its SecretRefs as they are written. */
  readonly document: unknown;
  /** The folder that relative paths of the document start from. */
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Ends a child task, as the control port does. */
  readonly settle: ManagedFlowsFake["settle"];
  /** Writes a line to the subject's stderr. */
  readonly log: (line: string) => void;
}

/** Revisions numbered in another way. */
export interface Numbering {
  /** From the runtime's revisions 0, 1, 2 ... to those that are shown. */
  readonly shown: (revision: number) => number;
  /** And back; NaN for one that is never shown. */
  readonly stored: (revision: number) => number;
}

/** How the in-memory runtime differs. */
export interface RuntimeChange extends Partial<Omit<ManagedFlowsOptions, "clock">> {
  /** The plugin is handed the runtime that answers with promises. */
  readonly awaited?: true;
  /** How the revisions of flows that the control port seeds are numbered. */
  readonly numbering?: Numbering;
}

/** The one difference. Each hook gets the correct thing and returns its replacement. */
export interface Change {
  /** What the gateway loads instead of its configuration document. */
  readonly document?: (document: Document) => Document;
  readonly parts?: (parts: Parts, origin: Origin) => Parts;
  /** What the plugin gets: configuration, runtime, a function to register handlers. */
  readonly api?: (api: GatewayApi, origin: Origin) => GatewayApi;
  readonly runtime?: RuntimeChange;
  /** One process loads one configuration after the other. */
  readonly reloads?: true;
  /** Returns true for calls to the control port that it answers itself. */
  readonly control?: OnControl;
}

export type OnControl = (request: IncomingMessage, response: ServerResponse) => boolean;

export type Document = Record<string, unknown>;

/** A subject with a fault that the suite must find. */
export interface Subject {
  readonly id: string;
  /** The fault, as a bug report would say it. */
  readonly bug: string;
  /** The cases that must turn red: `fail`, or `warn` for a `should`. */
  readonly kills: readonly string[];
  /** In real time it does not show. */
  readonly drivenOnly?: boolean;
  readonly change: Change;
}

/** A lawful subject that differs from the kit's own plugin: the suite must find no fault with it. */
export interface Different {
  readonly id: string;
  /** What the interface leaves open and this subject does in its own way. */
  readonly freedom: string;
  /** What it is judged with: `spec` by default, which binds no gap. */
  readonly profile?: "spec" | "reference";
  /** `should` cases that may warn. */
  readonly warns?: readonly string[];
  readonly change: Change;
}

/** An id made of what is said of a subject. */
export const subjectId = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");

type Table<Fault> = Readonly<Record<string, Fault>>;

/** Faults as a bug report would say them, of which their ids are made, behind the cases that each has to fail. */
export const failing = (table: Table<Change>): Subject[] =>
  Object.entries(table).map(([line, change]) => {
    const [, kills = "", bug = ""] = /^([A-Z0-9, -]+): (.+)$/.exec(line) ?? [];
    return { id: subjectId(bug), bug, kills: kills.split(", "), change };
  });

/** The same of each of several items: what is said of it, and the change. */
export const failingEach = <Item>(
  items: readonly Item[],
  faultOf: (item: Item) => readonly [line: string, change: Change],
): Subject[] => failing(Object.fromEntries(items.map(faultOf)));

/** The same where one way to change makes several faults that a case has to fail. */
export const allFailing = <Fault>(kills: string, change: (fault: Fault) => Change, table: Table<Fault>): Subject[] =>
  failingEach(Object.entries(table), ([bug, fault]) => [`${kills}: ${bug}`, change(fault)]);

/** What subjects do in their own way, of which their ids are made. */
export const lawful = (table: Table<Change>): Different[] =>
  Object.entries(table).map(([freedom, change]) => ({ id: `different-${subjectId(freedom)}`, freedom, change }));

/** The same where some `should` cases may warn. */
export const mayWarn = (warns: string | readonly string[], table: Table<Change>): Different[] =>
  lawful(table).map((subject) => ({ ...subject, warns: [warns].flat() }));
