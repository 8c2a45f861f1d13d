import { mustBeCaught } from "../caught.test-support.ts";
import { themes } from "./index.ts";

const { rateLimit, inFlight, order, body, envelope } = themes;

mustBeCaught([...rateLimit, ...inFlight, ...order, ...body, ...envelope]);
