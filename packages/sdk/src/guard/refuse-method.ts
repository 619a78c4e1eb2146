import { NotApprovedError } from "./not-approved.ts";

/** Refuses a method of a library's wallet. Nothing is proposed. */
export function refuseMethod(method: string, instead: string): never {
  throw new NotApprovedError(
    `${method} is not allowed: this wallet sends and signs only what was approved. Instead, ${instead}`,
  );
}
