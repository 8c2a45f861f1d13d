import { mustBeCaught } from "../caught.test-support.ts";
import { ofRequests } from "./index.ts";

mustBeCaught(ofRequests);
