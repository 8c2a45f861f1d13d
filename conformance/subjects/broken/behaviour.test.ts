import { mustBeCaught } from "../caught.test-support.ts";
import { themes } from "./index.ts";

const { rateLimit: _rate, inFlight: _inFlight, order: _order, body: _body, envelope: _envelope, ...others } = themes;

mustBeCaught(Object.values(others).flat());
