/** The signals that end a process in good order. SIGHUP comes when the terminal is closed, SIGQUIT from Ctrl-\. */
export const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
