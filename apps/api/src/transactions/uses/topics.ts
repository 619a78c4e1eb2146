// The events that show a use.
import type { Hex } from "@countersign/wire";
import { toEventSelector } from "viem/utils";
import { accountTopics } from "../../adapters/chain/index.ts";
import type { EventLog } from "./proof.ts";

export const topics = {
  transfer: toEventSelector("Transfer(address,address,uint256)"),
  approval: toEventSelector("Approval(address,address,uint256)"),
  authorizationUsed: toEventSelector("AuthorizationUsed(address,bytes32)"),
  authorizationCanceled: toEventSelector("AuthorizationCanceled(address,bytes32)"),
  permit: toEventSelector("Permit(address,address,address,uint160,uint48,uint48)"),
  nonceInvalidation: toEventSelector("NonceInvalidation(address,address,address,uint48,uint48)"),
  unorderedNonceInvalidation: toEventSelector("UnorderedNonceInvalidation(address,uint256,uint256)"),
  ...accountTopics,
} as const satisfies Readonly<Record<string, Hex>>;

/** Whether it is this event of this contract, with these indexed members first. */
export const isEvent = (
  { address, topics: found }: EventLog,
  contract: Hex,
  ...wanted: readonly Hex[]
): boolean => address === contract && wanted.every((topic, index) => found[index] === topic);
