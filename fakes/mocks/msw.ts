/** The mock for msw, which sees what global `fetch` and node:http send. */
import { http } from "msw";
import { exchange } from "./memory-exchange.ts";
import { openMock, type MockOptions, type WebhooksMock } from "./mock.ts";

export type { Filter, MockOptions, MockRoute, SeedInput, WebhooksMock } from "./mock.ts";
export type { Outcome, OutcomeName, RawAnswer } from "./outcomes.ts";
export type { ReceivedBody, ReceivedRequest } from "./received.ts";

/** Statuses for which `new Response` throws when a body is given. */
const bodiless = new Set([204, 205, 304]);

export interface WebhooksHandlers extends WebhooksMock {
  /**
   * For `setupServer(...handlers)`. They answer every request under the base URL. Not typed: msw declares its classes once
   * for `import` and once for `require`, and TypeScript takes neither for the other (TS2345).
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly handlers: readonly any[];
}

/**
 * A gateway with the plugin in it, behind msw: the handlers, with the mock's levers and the requests it received. Throws
 * an error that says what is wrong with the options.
 */
export function createWebhooksHandlers(options: MockOptions): WebhooksHandlers {
  const { mock, handle } = openMock(options);
  const prefix = new URL(mock.baseUrl).pathname.replace(/\/$/, "");
  const handler = http.all(`${mock.baseUrl}/*`, async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const given = {
      method: request.method,
      url: `${pathname.slice(prefix.length)}${search}`,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
    };
    const answer = await exchange(handle, given, request.signal);
    if (answer === undefined) return Response.error();
    const { status, headers, body } = answer;
    return new Response(bodiless.has(status) ? null : body, { status, headers: [...headers] });
  });
  return Object.assign(mock, { handlers: [handler] });
}
