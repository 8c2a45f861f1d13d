/**
 * The least that node:http can do for a JSON request: reads it, parses it, writes an answer. Its argument is the answer, as
 * the plugin sent it: the same status, headers and JSON, so that both write as many bytes.
 */
import { createServer } from "node:http";

const { status, headers, value } = JSON.parse(process.argv[2]);

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    try {
      JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      // One of the refused bodies is not JSON.
    }
    const text = JSON.stringify(value);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
