/** The ways to write a right request that mean the same: who accepts one accepts all, whatever the flow and the action. */
import { askedOnce } from "../harness/asked-once.ts";
import type { Trial } from "../harness/trial.ts";
import { isAccepted } from "../http/exchange.ts";
import { chunked, withBody, withProductHeader, type Request } from "../interface/request.ts";
import { requestForms, type RequestForm } from "../story/story.ts";

/** RFC 8259, 2 and 4: white space between the parts of a JSON text, and the order of members, mean nothing. */
function reversed(request: Request): Request {
  const body = JSON.parse(new TextDecoder().decode(request.body)) as object;
  return withBody(request, JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), undefined, "\t"));
}

export function inForm(request: Request, form: RequestForm | undefined, secret: string, product: string): Request {
  if (form === "secret in the product's header") return withProductHeader(request, product, secret);
  return form === "members reversed, in chunks" ? chunked(reversed(request)) : request;
}

const once = askedOnce<readonly RequestForm[]>();

/** Those in which the target takes a right request at all: that it takes each is for the cases about requests to judge. */
export const takenForms = (trial: Trial): Promise<readonly RequestForm[]> =>
  once(trial.server, "forms", async () => {
    const asking = trial.fresh();
    const { route } = asking;
    const [usual, ...others] = requestForms;
    const taken: RequestForm[] = [usual];
    for (const form of others)
      if (isAccepted(await asking.send(inForm(asking.right(), form, route.secret, asking.product)))) taken.push(form);
    return taken;
  });
