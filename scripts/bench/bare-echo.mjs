/** The least that node:http can do for a JSON request: reads it, parses it, writes an answer as long as one with a flow. */
import { createServer } from "node:http";

const flow = { flowId: "echo", revision: 0, status: "queued", goal: "Ship the parcel", more: "x".repeat(150) };
const answer = { ok: true, routeId: "r0", result: { created: true, flow } };
const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    try {
      JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      // One of the refused bodies is not JSON.
    }
    const text = JSON.stringify(answer);
    response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
