/** What a plugin of yours is written against: its shape, and what the embedded gateway hands to it. */
export type { Clock, GatewayApi, GatewayPlugin } from "../plugin/ports.ts";
export type { LoadablePlugin } from "./gateway.ts";
export type { RuntimeKind } from "./managed-flows.ts";
