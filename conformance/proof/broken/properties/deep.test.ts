import { mustBeCaught } from "../../caught.test-support.ts";
import { deep } from "./deep.ts";

const elsewhere = ["PROPERTY-LIMITS", "PROPERTY-KEYS", "PROPERTY-RACES"];

mustBeCaught(deep.filter(({ kills }) => !kills.some((id) => elsewhere.includes(id))));
