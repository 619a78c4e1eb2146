/** ether.fi: ether for eETH, wrapped as weETH, and the withdrawal queue. */
import { exactly, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { collect, convert, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const eETH: Address = "0x35fa164735182de50811e8e2e824cfb9b6118ac2";
const weETH: Address = "0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee";

export default defineProtocol({
  title: "ether.fi",
  names: ["ether.fi", "etherfi", "ether fi"],
  verbs: stakingVerbs,
  contracts: {
    pool: { 1: "0x308861a430be4cce5502d0a12724771fc6daf216" },
    weeth: { 1: weETH },
    withdraw_nft: { 1: "0x7d5706f6ef3f89b3951e23e557cdfbc3239d4e2c" },
  },
  functions: [
    fn("function deposit() payable", ["pool"], {}, (_, call) => stakeCoin(call, eETH)),
    fn("function deposit(address _referral) payable", ["pool"], { _referral: inert.attribution }, (_, call) =>
      stakeCoin(call, eETH),
    ),
    fn(
      "function requestWithdraw(address recipient, uint256 amount)",
      ["pool"],
      { recipient: feeds.receiver, amount: feeds.amount },
      ([receiver, amount]) =>
        convert("unstake", {
          give: eETH,
          amount: exactly(amount),
          at: "amount",
          receiver,
          receiverAt: "recipient",
        }),
    ),
    fn(
      "function requestWithdrawWithPermit(address _owner, uint256 _amount, (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) _permit)",
      ["pool"],
      {
        _owner: feeds.receiver,
        _amount: feeds.amount,
        _permit: {
          value: feedsWhen("amount", "it exceeds the amount that is taken"),
          deadline: feeds.deadline,
          v: inert.signature,
          r: inert.signature,
          s: inert.signature,
        },
      },
      ([receiver, amount, permit], call) => [
        ...(permit.value > amount
          ? [
              {
                act: "approve" as const,
                authority: {
                  spender: call.to,
                  asset: token(eETH),
                  amount: exactly(permit.value),
                  at: "_permit.value",
                },
              },
            ]
          : []),
        {
          ...convert("unstake", {
            give: eETH,
            amount: exactly(amount),
            at: "_amount",
            receiver,
            receiverAt: "_owner",
          }),
          deadline: permit.deadline,
        },
      ],
    ),
    fn("function wrap(uint256 _eETHAmount)", ["weeth"], { _eETHAmount: feeds.amount }, ([amount], call) =>
      convert("wrap", {
        give: eETH,
        get: weETH,
        amount: exactly(amount),
        at: "_eETHAmount",
        receiver: call.sender,
      }),
    ),
    fn("function unwrap(uint256 _weETHAmount)", ["weeth"], { _weETHAmount: feeds.amount }, ([amount], call) =>
      convert("unwrap", {
        give: weETH,
        get: eETH,
        amount: exactly(amount),
        at: "_weETHAmount",
        receiver: call.sender,
      }),
    ),
    // Paid to the holder of the ticket. The call fails if that is not the caller.
    fn("function claimWithdraw(uint256 tokenId)", ["withdraw_nft"], { tokenId: inert.own_item }, (_, call) =>
      collect(call.sender),
    ),
    fn(
      "function batchClaimWithdraw(uint256[] tokenIds)",
      ["withdraw_nft"],
      { tokenIds: inert.own_item },
      (_, call) => collect(call.sender),
    ),
  ],
});
