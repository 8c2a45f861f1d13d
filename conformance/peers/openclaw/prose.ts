/** The page's prose: what the matrix shows, which runs judge the peer's plugin, and why its results differ between the gateways. */

/** Runs in which the peer's plugin is judged, by name. */
export const PEER_RUNS = ["spec", "reference", "embedded"] as const;

export const versionsProse: readonly string[] = [
  "`webhooks-conformance matrix --differences --markdown` made this from a report of each version under profile `reference`.",
  "What every version fails alike is in the tables below it. Versions 2026.5.28 and 2026.7.1 close the connection before their",
  "413 or 408 arrives: cases that rest on this answer are unreached there. `LIMITS-4096-KEYS` is not applicable where the 4,096",
  "keys take longer than a body may, as on a busy machine.",
];

export const differences: readonly string[] = [
  "A plugin answers for headers, bodies, limits and envelopes; states, revisions, sessions and child tasks are kept by its",
  "gateway's `managedFlows`. Why a plugin's results differ between the two gateways:",
  "",
  "- The embedded gateway routes exact paths only, so the peer's plugin never sees another spelling (`RATE-PATH-SPELLINGS`).",
  "- The embedded runtime checks what the peer's does, and no more: who owns a flow, its revision, and, when it is cancelled",
  "  or gets a task, that it has not ended. `npm run openclaw:survey -- runtime` asks the peer's, and a test makes the same",
  "  calls here. Versions from 2026.5.28 on agree. So what the peer's plugin leaves to it (departures 4 and 5) shows in both",
  "  gateways, and the plugin of this package checks states itself. `serve --runtime checking` is for a gateway that does more.",
  "- The embedded runtime takes a childSessionKey of its own session; the peer's asks for a child run that is registered with",
  "  it already, which cannot be done over HTTP. So departure 6 (the key in views of tasks) shows in the embedded gateway",
  "  only.",
  "- Flows that are not managed can be seeded in the embedded gateway only (`GAP-NOT-MANAGED`).",
  "- In the embedded gateway the slots of eight bodies that were too large stay taken (departure 7), so `BODY-SIZE-EVERY-ARRIVAL`",
  "  meets a 429 and `ORDER-IN-FLIGHT-BEFORE-BODY-SIZE` is unreached.",
  "- The peer's plugin writes the session key into the gateway's log when it registers a route (`LEAK-LOG`, a warning); only",
  "  the embedded gateway lets the suite read its log.",
  "- The embedded gateway has a control port, so faults, seeded flows and ended children are judged there, and the driven",
  "  clock lets the 60-second window pass at once.",
];
