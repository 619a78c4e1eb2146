/** POL staked with a validator of Polygon, on Ethereum. */
import { atLeast, exactly, MAX_UINT, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { stakingVerbs } from "./shared/staking.ts";

const POL: Address = "0x455e53cbb86018ac2b8092fdcd39d8444affc3f6";
const on = ["validator"];

const paid = (act: Draft["act"], call: CallView): Draft => ({
  act,
  gets: [{ asset: token(POL), amount: { least: 0n, most: MAX_UINT }, at: "function" }],
  receiver: call.sender,
});

export default defineProtocol({
  title: "Polygon staking",
  names: ["polygon staking", "polygon validator", "pol staking"],
  verbs: stakingVerbs,
  contracts: {
    validator: {
      1: [
        "0xb929b89153fc2eed442e81e5a1add4e2fa39028f",
        "0x56d783ca8e0b998c57a428bf1c26a8baca50524e",
        "0x857679d69fe50e7b722f94acd2629d80c355163d",
        "0xf30cf4ed712d3734161fdaab5b1dbb49fd2d0e5c",
        "0x5a10de50160126a5f936506bd342c541ac44e943",
        "0x35b1ca0f398905cf752e6fe122b51c88022fca32",
        "0xd9e6987d77bf2c6d0647b8181fd68a259f838c36",
        "0xd14a87025109013b0a2354a775cb335f926af65a",
        "0xa6e768fef2d1af36c0cfdb276422e7881a83e951",
        "0x467585aaea860f9d8b3b43bb994e4da8a93788a7",
        "0x06998af8f39ff8630d1fb515d22781da4dc2ca71",
        "0xc7757805b983ee1b6272c1840c18e66837de858e",
        "0xe3e9ba8c8c696f8537cf16b23eddf118bbd7f21f",
        "0x875e901465a639f2e71fcfc10f426ed32f5a909a",
        "0x2905b3387c9550ea57fa3ee7d4b7e5abf3acd3d2",
        "0x15c2b3adca66e26b6f230b4023f52a285b7f9995",
        "0x2ea3c215daeacc1c90b51443ab5d08a9ad816138",
      ],
    },
  },
  functions: [
    fn(
      "function buyVoucherPOL(uint256 _amount, uint256 _minSharesToMint)",
      on,
      { _amount: feeds.amount, _minSharesToMint: feeds.minimum },
      ([amount, least], call) => ({
        act: "stake",
        gives: [{ asset: token(POL), amount: exactly(amount), at: "_amount" }],
        gets: [{ asset: token(call.to), amount: atLeast(least), at: "_minSharesToMint" }],
        receiver: call.sender,
        places: { amount: "_amount", minimum: "_minSharesToMint" },
      }),
    ),
    fn(
      "function sellVoucher_newPOL(uint256 claimAmount, uint256 maximumSharesToBurn)",
      on,
      { claimAmount: feeds.amount, maximumSharesToBurn: inert.restricts },
      ([amount], call) => ({
        act: "unstake",
        gets: [{ asset: token(POL), amount: exactly(amount), at: "claimAmount" }],
        receiver: call.sender,
        places: { amount: "claimAmount" },
      }),
    ),
    fn(
      "function unstakeClaimTokens_newPOL(uint256 unbondNonce)",
      on,
      { unbondNonce: inert.own_item },
      (_, call) => paid("claim", call),
    ),
    fn("function withdrawRewardsPOL()", on, {}, (_, call) => paid("claim", call)),
  ],
});
