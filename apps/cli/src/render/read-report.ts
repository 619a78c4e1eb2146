// A report as the SDK reads it, with every text of it made harmless before anyone sees it.
import { readReport as read, type ReadReport } from "@countersign/sdk/report";
import { plainLine } from "../terminal/plain-text.ts";

type Members = Readonly<Record<string, unknown>>;
export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? plainLine(value) : null;

/** Undefined if it is no report of a validator. */
export const readReport = (value: unknown): ReadReport | undefined => read(value, { text: plainLine });
