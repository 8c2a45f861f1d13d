import { mustBeCaught } from "../caught.test-support.ts";
import { ofBehaviour } from "./index.ts";

mustBeCaught(ofBehaviour);
