/** Renzo: ether or a staking token restaked for ezETH. */
import { exactly } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { convert, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const ezETH: Address = "0xbf5495efe5db9ce00f80364c8b423567e58d2110";

export default defineProtocol({
  title: "Renzo",
  names: ["renzo", "renzo protocol"],
  verbs: stakingVerbs,
  contracts: { manager: { 1: "0x74a09653a083691711cf8215a6ab074bb4e99ef5" } },
  functions: [
    fn("function depositETH() payable", ["manager"], {}, (_, call) => stakeCoin(call, ezETH)),
    fn(
      "function depositETH(uint256 _referralId) payable",
      ["manager"],
      { _referralId: inert.attribution },
      (_, call) => stakeCoin(call, ezETH),
    ),
    fn(
      "function deposit(address _collateralToken, uint256 _amount)",
      ["manager"],
      { _collateralToken: feeds.asset, _amount: feeds.amount },
      ([give, amount], call) =>
        convert("stake", { give, get: ezETH, amount: exactly(amount), at: "_amount", receiver: call.sender }),
    ),
    fn(
      "function deposit(address _collateralToken, uint256 _amount, uint256 _referralId)",
      ["manager"],
      { _collateralToken: feeds.asset, _amount: feeds.amount, _referralId: inert.attribution },
      ([give, amount], call) =>
        convert("stake", { give, get: ezETH, amount: exactly(amount), at: "_amount", receiver: call.sender }),
    ),
  ],
});
