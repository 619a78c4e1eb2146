/** BENQI's liquid staking: AVAX for sAVAX and, after a cooldown, back. */
import { exactly } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { collect, convert, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const sAVAX: Address = "0x2b2c81e08f1af8835a78bb2a90ae924ace0ea4be";
const on = ["savax"];

export default defineProtocol({
  title: "BENQI",
  names: ["benqi", "benqi liquid staking"],
  verbs: stakingVerbs,
  contracts: { savax: { 43114: sAVAX } },
  functions: [
    fn("function submit() payable", on, {}, (_, call) => stakeCoin(call, sAVAX)),
    fn("function requestUnlock(uint256 shareAmount)", on, { shareAmount: feeds.amount }, ([shares], call) =>
      convert("unstake", { give: sAVAX, amount: exactly(shares), at: "shareAmount", receiver: call.sender }),
    ),
    fn("function redeem()", on, {}, (_, call) => collect(call.sender)),
    fn("function redeem(uint256 unlockIndex)", on, { unlockIndex: inert.own_item }, (_, call) =>
      collect(call.sender),
    ),
    // After the redemption period the shares themselves are returned.
    fn("function redeemOverdueShares()", on, {}, (_, call) => ({ act: "claim", receiver: call.sender })),
    fn(
      "function redeemOverdueShares(uint256 unlockIndex)",
      on,
      { unlockIndex: inert.own_item },
      (_, call) => ({
        act: "claim",
        receiver: call.sender,
      }),
    ),
  ],
  receive: { on, read: (call) => stakeCoin(call, sAVAX) },
});
