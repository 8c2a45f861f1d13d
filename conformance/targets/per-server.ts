/** What is made, learned or asked once for each server of a target. */
import { perObject } from "../foundation/per-object.ts";
import type { Server } from "./server.ts";

export const perServer = <T>(make: (server: Server) => T): ((server: Server) => T) => perObject(make);
