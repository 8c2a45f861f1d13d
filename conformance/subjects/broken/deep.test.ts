import { mustBeCaught } from "../caught.test-support.ts";
import { deep } from "./deep.ts";

mustBeCaught(deep);
