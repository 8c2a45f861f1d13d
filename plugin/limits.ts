/** The numbers of the specification's section 8, and those it leaves open. */
export interface Limits {
  /** Requests one key may make in one window. */
  readonly requestsPerWindow: number;
  /** Milliseconds a window lasts. */
  readonly windowMs: number;
  /** Requests one key may have in flight. */
  readonly inFlight: number;
  /** Keys each limiter remembers. */
  readonly trackedKeys: number;
  /** Bytes a body may have. */
  readonly bodyBytes: number;
  /** Milliseconds a whole body may take to arrive. */
  readonly bodyMs: number;
  /** How deep arrays and objects may be nested in a body, its outer object included. */
  readonly jsonDepth: number;
  /** Flows that `list_flows` shows: those created last. */
  readonly listedFlows: number;
  /** Bytes of JSON that the flows or tasks listed in one answer may have together. */
  readonly listedBytes: number;
  /** Milliseconds for which the unread body of an answered request is drained before the connection is destroyed. */
  readonly drainMs: number;
  /** Milliseconds in which a client has to take an answer, and those before it on its connection. */
  readonly answerMs: number;
}

export const limits: Limits = {
  requestsPerWindow: 120,
  windowMs: 60_000,
  inFlight: 8,
  trackedKeys: 4096,
  bodyBytes: 262_144,
  bodyMs: 15_000,
  jsonDepth: 512,
  listedFlows: 100,
  listedBytes: 1_048_576,
  drainMs: 5_000,
  answerMs: 30_000,
};
