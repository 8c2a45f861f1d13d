import { mustBeCaught } from "../caught.test-support.ts";
import { ofLimits } from "./index.ts";

mustBeCaught(ofLimits);
