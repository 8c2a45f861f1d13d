/** Both mocks behind one client, for tests that hold for either. */
import { setupServer, type SetupServer } from "msw/node";
import { request } from "undici";
import type { MockOptions, WebhooksMock } from "./mock.ts";
import { createWebhooksHandlers } from "./msw.ts";
import { createWebhooksDispatcher } from "./undici.ts";

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Given {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

export interface Way {
  readonly mock: WebhooksMock;
  /** Sends a body to a path under the base URL. Rejects when there is no answer. */
  send(path: string, body: string, sent?: Sent): Promise<Given>;
}

type Post = Pick<RequestInit, "method" | "headers" | "body" | "signal">;

const opened: SetupServer[] = [];

/** Removes the process-wide interception; for `afterEach`. */
export function closeWays(): void {
  for (const server of opened.splice(0)) server.close();
}

const init = (body: string, { method = "POST", headers = {}, signal }: Sent) => ({
  method,
  headers: { "content-type": "application/json", authorization: "Bearer correct-horse", ...headers },
  ...(body === "" ? {} : { body }),
  ...(signal && { signal }),
});

export const ways: readonly { readonly name: string; open(options: MockOptions): Way }[] = [
  {
    name: "msw",
    open: (options) => {
      const mock = createWebhooksHandlers(options);
      const server = setupServer(...mock.handlers);
      server.listen({ onUnhandledRequest: "error" });
      opened.push(server);
      return {
        mock,
        send: async (path, body, sent = {}) => {
          const answer = await fetch(`${mock.baseUrl}${path}`, init(body, sent) satisfies Post);
          return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
        },
      };
    },
  },
  {
    name: "undici",
    open: (options) => {
      const mock = createWebhooksDispatcher(options);
      const { dispatcher } = mock;
      return {
        mock,
        send: async (path, body, sent = {}) => {
          const answer = await request(`${mock.baseUrl}${path}`, { ...init(body, sent), dispatcher });
          return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
        },
      };
    },
  },
];
