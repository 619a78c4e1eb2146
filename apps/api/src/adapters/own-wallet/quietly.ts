import { BaseError } from "viem";

/**
 * viem puts the node's URL into its messages, which may contain an access key, and errors of steps reach the
 * engine's log.
 */
function quietened(error: unknown): Error {
  if (error instanceof BaseError) return new Error(`the home chain: ${error.shortMessage}`);
  // Without its cause, which would be such a message again.
  return new Error(error instanceof Error ? error.message : "the home chain did not answer");
}

export async function quietly<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw quietened(error);
  }
}
