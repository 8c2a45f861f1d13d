/** The least that node:http can do for a JSON request: reads it, parses it, answers with what it holds. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    let value = null;
    try {
      value = JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      // The broken bodies of the refusals are echoed as null.
    }
    const text = JSON.stringify({ ok: true, value });
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
