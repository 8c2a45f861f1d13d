/** Options of `spawn` for what a test starts: longer than any test takes, so that nothing outlives a test for long. */
export const LONGEST_CHILD = { timeout: 120_000, killSignal: "SIGKILL" } as const;
