import { reject } from "../answer.ts";
import { invalidFields } from "../actions/invalid-fields.ts";
import type { Stage } from "../contract.ts";

export const action: Stage = {
  name: "action",
  async run({ context, body = {} }) {
    const { action: name, ...fields } = body;
    const found = context.parts.actions.find((entry) => entry.name === name);
    if (found === undefined) {
      const names = context.parts.actions.map((entry) => entry.name).join(", ");
      return reject("invalid_request", { error: `action: expected one of ${names}.` });
    }
    const parsed = found.schema.safeParse(fields);
    if (!parsed.success) return reject("invalid_request", { error: invalidFields(found, parsed.error.issues) });
    return found.run(parsed.data, context);
  },
};
