/** Voting power and votes. No money moves, but power over a treasury may. */
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { addressAt, integerAt } from "./shared/signed-fields.ts";

const delegate = (to: Address, at: string): Draft => ({
  act: "delegate",
  receiver: to,
  places: { receiver: at },
});
const vote: Draft = { act: "vote", places: { proposal: "proposalId", choice: "support" } };

export default defineProtocol({
  title: "Votes",
  names: [],
  contracts: {},
  functions: [
    fn("function delegate(address delegatee)", "anywhere", ([to]) => delegate(to, "delegatee")),
    fn(
      "function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      ([to, , expiry]) => ({ ...delegate(to, "delegatee"), deadline: expiry }),
    ),
    fn("function castVote(uint256 proposalId, uint8 support)", "anywhere", () => vote),
    fn("function castVote(uint256 proposalId, bool support)", "anywhere", () => vote),
    fn(
      "function castVoteWithReason(uint256 proposalId, uint8 support, string reason)",
      "anywhere",
      () => vote,
    ),
    fn(
      "function castVoteWithReasonAndParams(uint256 proposalId, uint8 support, string reason, bytes params)",
      "anywhere",
      () => vote,
    ),
    fn(
      "function castVoteBySig(uint256 proposalId, uint8 support, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      () => vote,
    ),
    fn("function submitVote(uint256 proposalId, bool support)", "anywhere", () => vote),
  ],
  typedData: [
    {
      primaryType: "Delegation",
      on: "anywhere",
      members: ["delegatee", "nonce", "expiry"],
      read: ({ message }) => ({
        ...delegate(addressAt(message, "delegatee"), "message.delegatee"),
        deadline: integerAt(message, "expiry"),
      }),
    },
    { primaryType: "Ballot", on: "anywhere", members: ["proposalId", "support"], read: () => vote },
  ],
});
