import type { FreshOptions } from "../fresh/fresh-options.ts";
import type { AuthorizationTuple, Batch, Call, TypedData } from "../types.ts";
import type { ApprovalOptions } from "./approval-options.ts";

/** Options of `guard`. */
export type GuardOptions = ApprovalOptions &
  FreshOptions & {
    /** The user's request, or a function that returns it for a call. */
    readonly words: string | ((call: Call) => string | Promise<string>);
    /** Returns the user's request for data to sign. Required to sign if `words` is a function. */
    readonly wordsToSign?: (typedData: TypedData) => string | Promise<string>;
    /** Returns the user's request for a batch of calls. Required to send batches if `words` is a function. */
    readonly wordsForCalls?: (calls: Batch) => string | Promise<string>;
    /** Returns the user's request for a text to sign. Required to sign messages if `words` is a function. */
    readonly wordsForMessage?: (message: string) => string | Promise<string>;
    /** Returns the user's request for an EIP-7702 authorization. Required to sign one if `words` is a function. */
    readonly wordsForAuthorization?: (authorization: AuthorizationTuple) => string | Promise<string>;
    /** The maximum network fee in wei. Default: 10^17, a tenth of the native token. */
    readonly maxFee?: bigint;
  };
