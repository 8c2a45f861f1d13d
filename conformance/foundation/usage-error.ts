/** The user wrote or asked for something wrong: exit 2, a message of one or two lines, no stack. */
export class UsageError extends Error {}
