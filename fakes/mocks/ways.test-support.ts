/** Both mocks behind one `fetch`, for tests that hold for either. */
import { setupServer, type SetupServer } from "msw/node";
import { fetch as undiciFetch } from "undici";
import type { MockOptions, WebhooksMock } from "./mock.ts";
import { createWebhooksHandlers } from "./msw.ts";
import { createWebhooksDispatcher } from "./undici.ts";

export interface Way {
  readonly mock: WebhooksMock;
  /** Rejects when there is no answer. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

const servers: SetupServer[] = [];

/** Removes the process-wide interception; for `afterEach`. */
export function closeWays(): void {
  for (const server of servers.splice(0)) server.close();
}

export const ways: readonly { readonly name: string; open(options: MockOptions): Way }[] = [
  {
    name: "msw",
    open: (options) => {
      const mock = createWebhooksHandlers(options);
      const server = setupServer(...mock.handlers);
      server.listen({ onUnhandledRequest: "error" });
      servers.push(server);
      return { mock, fetch: (url, init) => fetch(url, init) };
    },
  },
  {
    name: "undici",
    open: (options) => {
      const mock = createWebhooksDispatcher(options);
      const { dispatcher } = mock;
      const send = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher });
      return { mock, fetch: send as unknown as Way["fetch"] };
    },
  },
];
