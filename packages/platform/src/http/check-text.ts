import { requestErrors } from "../errors/index.ts";

/** Deeper than anything that means something, and far from where a parser or a checker would run out of stack. */
const deepest = 200;

const isText = (value: string): boolean => !value.includes("\0") && value.isWellFormed();

/**
 * Refuses text that a database cannot store or that two parsers read differently: NUL, and surrogates without their
 * other half. Without this, such a request would pass validation and fail as a 500 at the insert. Rejects nesting that would
 * overflow the stack of the next parser.
 */
export function checkText(value: unknown, where: string, depth = 0): void {
  if (depth > deepest) throw requestErrors.invalid({ message: `${where} is nested too deeply` });
  if (typeof value === "string") {
    if (!isText(value))
      throw requestErrors.invalid({ message: `${where} contains characters that are not text` });
  } else if (Array.isArray(value)) {
    for (const item of value) checkText(item, where, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      checkText(name, where, depth);
      checkText(item, where, depth + 1);
    }
  }
}
