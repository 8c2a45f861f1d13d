/** A fault of what the user wrote or asked for: exit 2, one or two lines, no stack. */
export class UsageError extends Error {}
