// Reads a report with the SDK, with all texts sanitized for the terminal.
import { readReport as read, type ReadReport } from "@countersign/sdk/report";
import { plainLine } from "../terminal/plain-text.ts";

type Members = Readonly<Record<string, unknown>>;
export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? plainLine(value) : null;

/** Returns undefined if it is not a validator report. */
export const readReport = (value: unknown): ReadReport | undefined => read(value, { text: plainLine });
