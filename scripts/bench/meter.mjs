/** Loaded into a measured process: tells its parent the processor time and the memory that it has used. */
process.on("message", (what) => process.send(what === "heap" ? heap() : spent()));
process.on("disconnect", () => process.exit());

function spent() {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, rss: process.memoryUsage().rss };
}

/** Collects garbage, which also throws compiled code away: what is measured next runs several times as slowly. */
function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
