/** Distributions one claims from: everybody's share is in a tree, and a proof brings it out. */
import { exactly, token, unsaid } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";

const claimed = (account: Address, amount: bigint): Draft => ({
  act: "claim",
  gets: [{ asset: unsaid("the token being distributed"), amount: exactly(amount), at: "amount" }],
  receiver: account,
  places: { receiver: "account", amount: "amount" },
});

export default defineProtocol({
  title: "Merkle distributor",
  names: ["merkl"],
  contracts: { merkl: { 0: "0x3ef3d8ba38ebe18db133cec108f4d14ce00dd9ae" } },
  functions: [
    fn(
      "function claim(uint256 index, address account, uint256 amount, bytes32[] merkleProof)",
      "anywhere",
      ([, account, amount]) => claimed(account, amount),
    ),
    fn(
      "function claim(address account, uint256 amount, bytes32[] merkleProof)",
      "anywhere",
      ([account, amount]) => claimed(account, amount),
    ),
    fn(
      "function claim(address[] users, address[] tokens, uint256[] amounts, bytes32[][] proofs)",
      ["merkl"],
      ([users, tokens, amounts]) =>
        users.map((user, index) => ({
          act: "claim" as const,
          gets: [
            {
              asset: token(tokens[index] ?? user),
              amount: { least: 0n, most: amounts[index] ?? 0n },
              at: `amounts[${index}]`,
            },
          ],
          receiver: user,
          places: { receiver: `users[${index}]` },
        })),
    ),
  ],
});
