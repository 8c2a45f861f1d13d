/** Section 2: one connection carries one answer for each request, in order. */
import { spoilt } from "../../interface/broken-requests.ts";
import { statusesIn } from "../../http/raw.ts";
import type { Case } from "../../harness/case.ts";
import { check, twin } from "../../harness/checks.ts";

interface Expected {
  readonly what: string;
  readonly fits: (status: number) => boolean;
}

const sequence: readonly Expected[] = [
  { what: "success", fits: (status) => status >= 200 && status < 300 },
  { what: "401", fits: (status) => status === 401 },
  { what: "a refusal of the content type", fits: (status) => status >= 400 && status !== 401 },
  { what: "success again", fits: (status) => status >= 200 && status < 300 },
];

export const connectionCases: readonly Case[] = [
  {
    id: "ENVELOPE-PIPELINED",
    title: "Pipelined requests get one answer each, in order",
    clauses: ["ENVELOPE-OK"],
    requests: 6,
    reading:
      "Two of the four are refused before their body is read: its bytes are no request of their own. A target may close " +
      "the connection after any answer, then the later ones are missing.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const wrong = spoilt(right, "AUTH");
      const text = spoilt(right, "CONTENT-TYPE");
      const { bytes, closed } = await trial.pipelined([right, wrong, text, right]);
      const statuses = statusesIn(bytes);
      for (const [index, status] of statuses.entries()) {
        const expected = sequence[index];
        check(expected !== undefined, "four answers at most", "more answers than requests");
        const place = `answer ${index + 1} of one connection: ${expected?.what}`;
        check(expected?.fits(status) === true, place, `${status}`);
      }
      check(statuses.length > 0, "an answer", "none");
      const left = statuses.length === sequence.length || closed;
      check(left, "an answer for each request, or a closed connection", "silence");
    },
  },
];
