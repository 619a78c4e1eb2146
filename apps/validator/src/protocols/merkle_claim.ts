/** Distributions to claim from: a Merkle tree holds each account's share, and a proof shows it. */
import { exactly, token, unsaid } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";

/** Anyone can deploy a contract with this function, so the request must name the contract. */
const claimed = (account: Address, amount: bigint, call: CallView): Draft => ({
  act: "claim",
  gets: [{ asset: unsaid("the token being distributed"), amount: exactly(amount), at: "amount" }],
  receiver: account,
  choices: [{ what: "distributor", value: call.to, at: "to" }],
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
      // The index in the tree is part of what the proof shows.
      { index: inert.signature, account: feeds.receiver, amount: feeds.amount, merkleProof: inert.signature },
      ([, account, amount], call) => claimed(account, amount, call),
    ),
    fn(
      "function claim(address account, uint256 amount, bytes32[] merkleProof)",
      "anywhere",
      { account: feeds.receiver, amount: feeds.amount, merkleProof: inert.signature },
      ([account, amount], call) => claimed(account, amount, call),
    ),
    fn(
      "function claim(address[] users, address[] tokens, uint256[] amounts, bytes32[][] proofs)",
      ["merkl"],
      { users: feeds.receiver, tokens: feeds.asset, amounts: feeds.amount, proofs: inert.signature },
      ([users, tokens, amounts]) => {
        if (tokens.length !== users.length || amounts.length !== users.length)
          throw new Error("the lists have different lengths");
        return users.map((user, index) => ({
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
        }));
      },
    ),
  ],
});
