/** Voting power and votes. No funds move, but power over a treasury may. */
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { vote } from "./shared/ballots.ts";
import { addressAt, integerAt } from "./shared/signed-fields.ts";

const delegate = (to: Address, at: string): Draft => ({
  act: "delegate",
  receiver: to,
  places: { receiver: at },
});

const ballot = { proposalId: feeds.choice, support: feeds.choice };
const vrs = { v: inert.signature, r: inert.signature, s: inert.signature };

export default defineProtocol({
  title: "Votes",
  names: [],
  contracts: {},
  functions: [
    fn("function delegate(address delegatee)", "anywhere", { delegatee: feeds.receiver }, ([to]) =>
      delegate(to, "delegatee"),
    ),
    fn(
      "function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { delegatee: feeds.receiver, nonce: inert.replay, expiry: feeds.deadline, ...vrs },
      ([to, , expiry]) => ({ ...delegate(to, "delegatee"), deadline: expiry }),
    ),
    fn(
      "function castVote(uint256 proposalId, uint8 support)",
      "anywhere",
      ballot,
      ([proposal, support], call) => vote({ proposal, support }, call),
    ),
    fn(
      "function castVote(uint256 proposalId, bool support)",
      "anywhere",
      ballot,
      ([proposal, support], call) => vote({ proposal, support }, call),
    ),
    fn(
      "function castVoteWithReason(uint256 proposalId, uint8 support, string reason)",
      "anywhere",
      { ...ballot, reason: inert.label },
      ([proposal, support], call) => vote({ proposal, support }, call),
    ),
    fn(
      "function castVoteWithReasonAndParams(uint256 proposalId, uint8 support, string reason, bytes params)",
      "anywhere",
      { ...ballot, reason: inert.label, params: feeds.choice },
      ([proposal, support, , params], call) => vote({ proposal, support, params }, call),
    ),
    fn(
      "function castVoteBySig(uint256 proposalId, uint8 support, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { ...ballot, ...vrs },
      ([proposal, support], call) => vote({ proposal, support }, call),
    ),
    fn(
      "function submitVote(uint256 proposalId, bool support)",
      "anywhere",
      ballot,
      ([proposal, support], call) => vote({ proposal, support }, call),
    ),
  ],
  typedData: [
    {
      primaryType: "Delegation",
      on: "anywhere",
      members: ["delegatee", "nonce", "expiry"],
      uses: { delegatee: feeds.receiver, nonce: inert.replay, expiry: feeds.deadline },
      read: ({ message }) => ({
        ...delegate(addressAt(message, "delegatee"), "message.delegatee"),
        deadline: integerAt(message, "expiry"),
      }),
    },
    {
      primaryType: "Ballot",
      on: "anywhere",
      members: ["proposalId", "support"],
      uses: { ...ballot, voter: feeds.payer, nonce: inert.replay },
      read: ({ message }, call) => ({
        ...vote(
          { proposal: integerAt(message, "proposalId"), support: integerAt(message, "support") },
          call,
          "message.",
        ),
        ...("voter" in message ? { payer: addressAt(message, "voter") } : {}),
      }),
    },
  ],
});
