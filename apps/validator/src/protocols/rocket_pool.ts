/** Rocket Pool: ether for rETH and back. */
import { exactly } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds } from "../uses.ts";
import { convert, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const rETH: Address = "0xae78736cd615f374d3085123a210448e74fc6393";

export default defineProtocol({
  title: "Rocket Pool",
  names: ["rocket pool", "rocketpool", "rocket-pool"],
  verbs: stakingVerbs,
  contracts: {
    // The pool moves with every upgrade of the protocol. The first of these is the newest.
    deposit_pool: {
      1: [
        "0xce15294273cfb9d9b628f4d61636623decdf4fdc",
        "0xdd3f50f8a6cafbe9b31a427582963f465e745af8",
        "0x2cac916b2a963bf162f076c0a8a4a8200bcfbfb4",
      ],
    },
    reth: { 1: rETH },
  },
  functions: [
    fn("function deposit() payable", ["deposit_pool"], {}, (_, call) => stakeCoin(call, rETH)),
    fn("function burn(uint256 _rethAmount)", ["reth"], { _rethAmount: feeds.amount }, ([amount], call) =>
      convert("unstake", {
        give: rETH,
        get: "coin",
        amount: exactly(amount),
        at: "_rethAmount",
        receiver: call.sender,
      }),
    ),
  ],
});
