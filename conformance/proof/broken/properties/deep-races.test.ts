import { mustBeCaught } from "../../caught.test-support.ts";
import { deep } from "./deep.ts";

mustBeCaught(deep.filter(({ kills }) => kills.includes("PROPERTY-RACES")));
