/** Names everything that a verdict is a function of, so that it can be repeated: see `replay/`. */
import { hashReport } from "@countersign/wire";
import { isPlainJson, type ValidateRequest } from "../request/index.ts";
import type { ProposedReading, Reader } from "./reader.ts";

export type Inputs = {
  /** keccak256 of the RFC 8785 text of the whole request. Null for a request with numbers that JSON parsers round. */
  readonly hash: string | null;
  /** When the request arrived, in milliseconds since the epoch. The age of lists depends on it. */
  readonly at: number;
  readonly configuration: string;
  /** The reading that a model proposed, if there is one: a replay uses it and asks no model. */
  readonly reading?: RecordedReading;
};

type RecordedReading = Reader["by"] & { readonly proposal: ProposedReading };

type Known = {
  readonly startedAt: number;
  readonly configuration: string;
  readonly reading: RecordedReading | null;
};

export const inputsOf = (body: ValidateRequest, { startedAt, configuration, reading }: Known): Inputs => ({
  hash: hashRequest(body),
  at: startedAt,
  configuration,
  ...(reading === null ? {} : { reading }),
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
