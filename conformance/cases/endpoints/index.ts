import type { Case } from "../../harness/case.ts";
import { bodyCases } from "./bodies.ts";
import { bodySizeCases } from "./body-size.ts";
import { bodyNameCases } from "./body-names.ts";
import { bodyShapeCases, jsonCases } from "./body-shapes.ts";
import { bodyTimeCases } from "./body-time.ts";
import { fieldNameCases } from "./field-names.ts";
import { fieldValueCases } from "./field-values.ts";
import { gapFieldCases } from "./gaps-fields.ts";
import { framingCases } from "./framing.ts";
import { methodCases } from "./methods.ts";
import { orderCases } from "./order.ts";
import { pathCases } from "./paths.ts";
import { requestRowCases } from "./request-rows.ts";
import { runTaskCases } from "./run-task.ts";

export const endpointsCases: readonly Case[] = [
  ...orderCases,
  ...methodCases,
  ...requestRowCases,
  ...pathCases,
  ...bodyCases,
  ...framingCases,
  ...bodySizeCases,
  ...bodyTimeCases,
  ...bodyShapeCases,
  ...bodyNameCases,
  ...jsonCases,
  ...fieldNameCases,
  ...fieldValueCases,
  ...gapFieldCases,
  ...runTaskCases,
];
