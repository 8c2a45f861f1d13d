import { tags } from "../../../fixtures/fixture.ts";
import { documents, formats } from "../../../fixtures/formats/index.ts";

const listed = [...Object.entries(formats), ...Object.entries(documents)]
  .map(([name, { summary }]) => `    ${name.padEnd(9)}${summary}`)
  .join("\n");

export const usage = `usage: webhooks-conformance fixtures [options]
       webhooks-conformance fixtures check --fixtures FILE --answers FILE
The catalogue of fixtures or, with --count, random ones.
  --format NAME   default ndjson; one of
${listed}
  --profile NAME  whose answers to expect: spec (default), reference,
                  openclaw or a file
  --action NAME   only fixtures of this action; more than once for several
  --tag NAME      only fixtures with this tag:
                  ${tags.join(", ")}
  --route ID      put them on this route (ID=/path if its path is not the default);
                  more than once for several; default demo, and as many more
                  (demo-2, demo-3 ...) as it takes to stay below the rate limit
  --base-url URL  the target's address in the file (har, postman, http, rest,
                  curl); default http://127.0.0.1:8080
  --out FILE      instead of standard output; http and rest take a folder too
                  (--out DIR/) and write a file for each theme into it
random fixtures
  --count N       how many
  --seed S        the same seed gives the same bytes (default 1)
  --invalid P     share of invalid ones, 0 to 1 (default 0.25)
  --values FILE   JSON object: field name -> list of values to use for it
check
  --fixtures FILE the file that was sent, as fixtures wrote it, in any format
  --answers FILE  as the curl script writes it (NDJSON of { fixture, status, text },
                  or of { fixture, status, body }), or newman's JSON
exit codes: 0 written, 2 usage; of check: 0 as expected, 1 not, 2 usage, or answers
            to other fixtures, 4 the answers could not be read to the end, or are none
examples
  webhooks-conformance fixtures --format curl --profile reference --out fixtures.sh
  webhooks-conformance fixtures --count 1000 --seed 7 --action create_flow
  webhooks-conformance fixtures check --fixtures fixtures.sh --answers answers.ndjson`;
