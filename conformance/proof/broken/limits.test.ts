import { mustBeCaught } from "../caught.test-support.ts";
import { ofLimits } from "./index.ts";

// At their start they may show other limits than the correct plugin.
mustBeCaught(ofLimits, { likeTheReference: false });
