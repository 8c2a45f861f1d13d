/** The request that a step describes. */
import {
  paddedTo,
  validRequest,
  withBody,
  withHeader,
  withMethod,
  withoutHeader,
  type Request,
} from "../../interface/request.ts";
import type { SendStep } from "../../story/story.ts";

/** The valid request, with the step's changes. */
export function requestOf(step: SendStep, route: { path: string; secret: string }, body: object): Request {
  let request = validRequest(route, body as { action: string });
  if (step.text !== undefined) request = withBody(request, step.text);
  if (step.padTo !== undefined) request = paddedTo(request, step.padTo);
  if (step.method !== undefined) request = withMethod(request, step.method);
  const { contentType, secret } = step;
  if (contentType !== undefined) {
    request =
      contentType === "" ? withoutHeader(request, "content-type") : withHeader(request, "content-type", contentType);
  }
  if (secret !== undefined) {
    request =
      secret === ""
        ? withoutHeader(request, "authorization")
        : withHeader(request, "authorization", `Bearer ${secret}`);
  }
  return request;
}
