/** Names everything that a verdict is a function of, so that it can be repeated: see `replay/`. */
import { hashReport } from "@countersign/wire";
import { isPlainJson, type ValidateRequest } from "../request/index.ts";

export type Inputs = {
  /** keccak256 of the RFC 8785 text of the whole request. Null for a request with numbers that JSON parsers round. */
  readonly hash: string | null;
  /** When the request arrived, in milliseconds since the epoch. The age of lists depends on it. */
  readonly at: number;
  readonly configuration: string;
};

type Known = { readonly startedAt: number; readonly configuration: string };

export const inputsOf = (body: ValidateRequest, { startedAt, configuration }: Known): Inputs => ({
  hash: hashRequest(body),
  at: startedAt,
  configuration,
});

export function hashRequest(body: unknown): string | null {
  if (!isPlainJson(body)) return null;
  try {
    return hashReport(body);
  } catch {
    // A text with a lone surrogate has no canonical form.
    return null;
  }
}
