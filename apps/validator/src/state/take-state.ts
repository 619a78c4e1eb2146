/** Separates the state from a request: it is verified and executed apart from everything else. */
import type { ValidateRequest } from "../request/index.ts";

type Taken = {
  /** The request without its state. */
  readonly body: ValidateRequest;
  /** As it came. Undefined if there is none. */
  readonly state: unknown;
};

export function takeState(body: ValidateRequest): Taken {
  const { metadata } = body;
  if (metadata === undefined || metadata === null || !Object.hasOwn(metadata, "state"))
    return { body, state: undefined };
  const { state, ...rest } = metadata;
  return { body: { ...body, metadata: rest }, state: state ?? undefined };
}
