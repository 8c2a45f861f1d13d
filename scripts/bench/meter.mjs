/** Loaded into a measured process: tells its parent the processor time and the memory that it has used. */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  globalThis.gc();
  process.send({ cpuUs: user + system, rss, heap: process.memoryUsage().heapUsed });
});
process.on("disconnect", () => process.exit());
