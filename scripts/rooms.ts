/** The rooms of this repository, from the bottom up: a file imports from its own room and from those above it in this list. */
export interface Room {
  /** A folder, or a single file. A file belongs to the longest path that it starts with. */
  readonly path: string;
  readonly holds: string;
}

export const rooms: readonly Room[] = [
  { path: "plugin/", holds: "the minimal webhooks plugin: what a gateway loads" },
  { path: "fakes/", holds: "in-memory managedFlows, gateway, clock, secret sources, control port" },
  { path: "fakes/mocks/", holds: "msw, undici and the playground, for the tests of callers" },
  { path: "conformance/foundation/", holds: "errors, and helpers that know nothing of the interface" },
  { path: "conformance/interface/", holds: "the interface as data: clauses, actions, fields, models, profiles" },
  { path: "fixtures/", holds: "requests as files: catalogue, generator, formats" },
  { path: "conformance/http/", holds: "clients, exchanges, redaction, replay lines" },
  { path: "conformance/story/", holds: "a sequence of requests as data, and as a file" },
  { path: "conformance/targets/", holds: "target file, configuration, process, addresses, control port" },
  { path: "conformance/harness/", holds: "Case, Trial, checks, results, and what several cases share" },
  { path: "conformance/oracle/", holds: "the judge: what a target holds, and what it may answer; rows of factors" },
  { path: "conformance/oracle/play/", holds: "executors, and the players of a story's steps" },
  { path: "conformance/invariants/", holds: "what every exchange of every case must keep" },
  { path: "conformance/cases/", holds: "the cases, by theme" },
  { path: "conformance/properties/generate/", holds: "intents, and how they become steps" },
  { path: "conformance/properties/shrink/", holds: "a story that broke: played again, made smaller" },
  { path: "conformance/properties/", holds: "the properties, the walk of a story, and properties as cases" },
  { path: "conformance/catalogue.ts", holds: "the one list of all cases" },
  { path: "conformance/run/", holds: "from a target and cases to results" },
  { path: "conformance/report/", holds: "verdict, baseline, merge, and one file a format" },
  { path: "conformance/doctor/", holds: "looks at a target before it is judged; learns a profile" },
  { path: "conformance/library/", holds: "what a program imports" },
  { path: "conformance/proof/", holds: "broken, different and hostile subjects, stubs, and the proof" },
  { path: "conformance/cli/", holds: "the command line: one file a command" },
  { path: "conformance/peers/", holds: "the live peer: install and judge" },
  { path: "scripts/", holds: "chores of this repository" },
];

/** An import that no order can forbid or allow: the wall between the judge and what it judges. */
interface Wall {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Files or folders that may pass. */
  readonly except: readonly string[];
  readonly because: string;
}

export const walls: readonly Wall[] = [
  {
    from: ["fixtures/", "conformance/"],
    to: ["plugin/", "fakes/"],
    except: ["conformance/proof/", "conformance/cli/serve.ts", "conformance/cli/help/serve.ts"],
    because: "the judge shares no code with the judged, or both would be wrong together",
  },
  {
    from: ["fakes/"],
    to: ["plugin/"],
    except: ["plugin/ports.ts", "fakes/serve.ts", "fakes/mocks/"],
    because: "the fakes share the plugin's types only; serve and the mocks load it as a gateway loads any plugin",
  },
];
