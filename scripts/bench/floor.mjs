/** The least that a runner can do: `floor.mjs URL SECRET REQUESTS CONNECTIONS` sends by undici and parses each answer. */
import { Client } from "undici";

const [baseUrl, secret, requests, connections] = process.argv.slice(2);
const AT_A_TIME = 12;
const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
const body = JSON.stringify({ action: "create_flow", goal: "Ship the parcel" });
const options = { path: "/plugins/webhooks/r0", method: "POST", headers, body };

let place = 0;
async function work() {
  while (place < connections) {
    const [first, end] = [place, place + 1].map((at) => Math.round((at / connections) * requests));
    const client = new Client(baseUrl, { localAddress: `127.8.${place >> 8}.${place & 255}` });
    place += 1;
    for (let sent = first; sent < end; sent += 1) JSON.parse(await (await client.request(options)).body.text());
    await client.close();
  }
}
await Promise.all(Array.from({ length: AT_A_TIME }, work));
