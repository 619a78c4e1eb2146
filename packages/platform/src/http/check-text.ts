import { requestErrors } from "../errors/index.ts";

/**
 * Refuses text that a database cannot store or that two parsers read differently: NUL, and surrogates without their
 * other half. Without this, such a request would pass validation and fail as a 500 at the insert.
 */
export function checkText(value: unknown, where: string): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed())
      throw requestErrors.invalid({ message: `${where} contains characters that are not text` });
  } else if (Array.isArray(value)) {
    for (const item of value) checkText(item, where);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      checkText(name, where);
      checkText(item, where);
    }
  }
}
