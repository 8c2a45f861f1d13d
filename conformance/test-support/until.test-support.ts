/** Waits until a condition holds; fails after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never: ${condition.toString()}`);
    await new Promise((wake) => setTimeout(wake, 10));
  }
}
