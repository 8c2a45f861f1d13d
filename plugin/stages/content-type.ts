import { reject } from "../answer.ts";
import type { Stage } from "../contract.ts";

/** `application/json` in any case, with or without parameters; no other type, whatever its suffix. */
export const contentType: Stage = {
  name: "content-type",
  run({ request }) {
    const [type] = (request.headers["content-type"] ?? "").split(";", 1);
    return type?.trim().toLowerCase() === "application/json" ? undefined : reject("unsupported_media_type");
  },
};
