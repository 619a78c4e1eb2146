/** Frax Ether: ether for frxETH, or directly into its vault for sfrxETH. The vault is an ERC-4626 vault. */
import type { Address } from "../proposal.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds } from "../uses.ts";
import { stakeCoin, stakingVerbs } from "./shared/staking.ts";

const frxETH: Address = "0x5e8422345238f34275888049021821e8e08caa1f";
const sfrxETH: Address = "0xac3e018457b222d93114458476f3e3416abbe38f";

export default defineProtocol({
  title: "Frax Ether",
  names: ["frax ether", "frxeth minter", "frax eth"],
  family: "frax",
  verbs: stakingVerbs,
  contracts: { minter: { 1: "0xbafa44efe7901e04e39dad13167d089c559c1138" } },
  functions: [
    fn("function submit() payable", ["minter"], {}, (_, call) => stakeCoin(call, frxETH)),
    fn(
      "function submitAndDeposit(address recipient) payable",
      ["minter"],
      { recipient: feeds.receiver },
      ([recipient], call) => ({
        ...stakeCoin(call, sfrxETH, recipient),
        places: { amount: "value", receiver: "recipient" },
      }),
    ),
    fn(
      "function submitAndGive(address recipient) payable",
      ["minter"],
      { recipient: feeds.receiver },
      ([recipient], call) => ({
        ...stakeCoin(call, frxETH, recipient),
        places: { amount: "value", receiver: "recipient" },
      }),
    ),
  ],
  receive: { on: ["minter"], read: (call) => stakeCoin(call, frxETH) },
});
