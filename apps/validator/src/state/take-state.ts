/** Separates the state from a request: it is verified and executed apart from everything else. */
import type { ValidateRequest } from "../request/index.ts";

type Taken = {
  /** The request without its state. */
  readonly body: ValidateRequest;
  /** As it came. Undefined if there is none. */
  readonly state: unknown;
  /** The answer of a second engine about the state, as it came. Undefined if there is nothing. */
  readonly secondEngine: unknown;
};

export function takeState(body: ValidateRequest): Taken {
  const { metadata } = body;
  if (metadata === undefined || metadata === null) return { body, state: undefined, secondEngine: undefined };
  if (!Object.hasOwn(metadata, "state") && !Object.hasOwn(metadata, "second_engine"))
    return { body, state: undefined, secondEngine: undefined };
  const { state, second_engine: secondEngine, ...rest } = metadata;
  return {
    body: { ...body, metadata: rest },
    state: state ?? undefined,
    secondEngine: secondEngine ?? undefined,
  };
}
