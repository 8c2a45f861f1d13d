/** What the page says in words: which runs are the peer's, and why a plugin comes out otherwise in another gateway. */

/** Runs in which the peer's plugin is judged, by name. */
export const PEER_RUNS = ["spec", "reference", "embedded"] as const;

export const differences: readonly string[] = [
  "A plugin answers for headers, bodies, limits and envelopes; states, revisions, sessions and child tasks are its gateway's",
  "`managedFlows`. So what differs between two hostings of one plugin belongs to the gateway, not to the plugin:",
  "",
  "- The embedded gateway routes exact paths only, so the peer's plugin never sees another spelling (`RATE-PATH-SPELLINGS`).",
  "- The embedded runtime refuses changes of ended flows, a resume of what does not wait, calls the end of a flow `finished`",
  "  and finds the flow updated last; the peer's runtime does none of it (departures 4 and 5).",
  "- The embedded runtime takes a childSessionKey of its own session; the peer's asks for a child run that is registered with",
  "  it already, which nobody can bring about over HTTP. So the peer's view of tasks (departure 6) shows only there.",
  "- The embedded runtime says `terminal` and `not_managed` where the peer's plugin knows no such answer of its own runtime;",
  "  it falls back to `mutation_rejected` and `cancel_rejected`, as the interface allows (`GAP-ENDED-BY-*`, `GAP-NOT-MANAGED`).",
  "- The peer's plugin writes the session key into the gateway's log when it registers a route (`LEAK-LOG`, a warning); only",
  "  the embedded gateway lets the suite read its log.",
  "- The embedded gateway has a control port, so faults, seeded flows and ended children are judged there, and the driven",
  "  clock lets the 60-second window pass at once.",
];
