export const sections: Readonly<Record<number, string>> = {
  1: "What the service does",
  2: "Resources and their fields",
  3: "States and transitions",
  4: "Endpoints",
  5: "Authentication",
  6: "Events",
  7: "Errors",
  8: "Limits",
  9: "Versioning",
};
