/**
 * The least that node:http can do for a JSON request: reads it, parses it, writes an answer. Its argument is the answer, as
 * the plugin sent it: the same status, headers and JSON, so that both write as many bytes.
 */
import { createServer } from "node:http";

const [head, json] = process.argv[2].split("\r\n\r\n");
const [statusLine, ...lines] = head.split("\r\n");
const status = Number(statusLine.split(" ")[1]);
const value = JSON.parse(json);
// Node writes these by itself.
const own = lines.filter((line) => !/^(date|connection|keep-alive|content-length):/i.test(line));
const headers = Object.fromEntries(own.map((line) => line.split(": ")));

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
    response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
