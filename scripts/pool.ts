/** Works through a list with at most `width` items at a time. */
export async function pooled<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
