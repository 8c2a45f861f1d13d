/** Loaded into a measured process: tells its parent the processor time that it has used, and ends with it. */
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());
