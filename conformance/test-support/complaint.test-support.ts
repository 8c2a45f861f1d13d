import { UsageError } from "../foundation/usage-error.ts";

/** What the user is told by the usage error in which `work` ends. Any other end fails the test. */
export async function complaintOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}
