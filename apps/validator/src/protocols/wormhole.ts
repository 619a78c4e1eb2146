/** Wormhole's token bridge. The receiver must claim the minted tokens on the other chain. */
import { exactly, native, token, unsaid } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { addressInWord } from "./shared/address-words.ts";
import { bridgeVerbs, cross, least } from "./shared/bridging.ts";
import { feeds, feedsAll, inert } from "../uses.ts";

/** Wormhole's ids of chains. */
const chains: Readonly<Record<number, number>> = {
  2: 1,
  4: 56,
  5: 137,
  6: 43114,
  23: 42161,
  24: 10,
  30: 8453,
  44: 130,
  10002: 11155111,
  10003: 421614,
  10004: 84532,
  10005: 11155420,
};

type Sent = {
  readonly gives: Parameters<typeof cross>[0]["gives"];
  readonly chain: number;
  readonly recipient: Hex;
  readonly fee: bigint;
};

/** Native value and tokens arrive as Wormhole's own tokens, unless they came from that chain. */
const ARRIVES = unsaid("Wormhole's own token on the other chain");

const sent = ({ gives, chain, recipient, fee }: Sent): Draft => {
  const toChain = chains[chain];
  if (toChain === undefined) throw new Error(`no chain has Wormhole's id ${chain}`);
  if (fee > gives.amount.most) throw new Error("the fee is more than the amount");
  return cross({
    gives,
    gets: { asset: ARRIVES, amount: least(gives.amount.most - fee), at: "arbiterFee" },
    toChain,
    receiver: addressInWord(recipient),
    receiverAt: "recipient",
    ...(fee === 0n
      ? {}
      : { fees: [{ to: "venue", asset: gives.asset, share: exactly(fee), at: "arbiterFee" }] }),
  });
};

/** The account that submits the message keeps the fee out of the payment there. */
const sentUses = {
  recipientChain: feeds.toChain,
  recipient: feeds.receiver,
  arbiterFee: feedsAll("fee", "minimum"),
  nonce: inert.replay,
};

export default defineProtocol({
  title: "Wormhole",
  names: ["wormhole", "portal bridge", "wormhole portal", "wormhole bridge"],
  verbs: bridgeVerbs,
  contracts: {
    token_bridge: {
      1: "0x3ee18b2214aff97000d974cf647e7c347e8fa585",
      10: "0x1d68124e65fafc907325e3edbf8c4d84499daa8b",
      56: "0xb6f6d86a8f9879a9c87f643768d9efc38c1da6e7",
      137: "0x5a58505a96d1dbf8df91cb21b54419fc36e93fde",
      8453: "0x8d2de8d2f73f1f4cab472ac9a881c9b123c79627",
      42161: "0x0b2402144bb366a632d14b83f244d2e0e21bd39c",
      43114: "0x0e082f06ff657d94310cb8ce8b0d9a04541d8052",
      11155111: "0xdb5492265f6038831e89f495670ff909ade94bd9",
    },
  },
  functions: [
    fn(
      "function transferTokens(address token, uint256 amount, uint16 recipientChain, bytes32 recipient, uint256 arbiterFee, uint32 nonce) payable",
      ["token_bridge"],
      { token: feeds.asset, amount: feeds.amount, ...sentUses },
      ([asset, amount, chain, recipient, fee]) =>
        sent({
          gives: { asset: token(asset), amount: exactly(amount), at: "amount" },
          chain,
          recipient,
          fee,
        }),
    ),
    fn(
      "function wrapAndTransferETH(uint16 recipientChain, bytes32 recipient, uint256 arbiterFee, uint32 nonce) payable",
      ["token_bridge"],
      sentUses,
      ([chain, recipient, fee], call) =>
        sent({
          gives: { asset: native, amount: exactly(call.value), at: "value" },
          chain,
          recipient,
          fee,
        }),
    ),
  ],
});
