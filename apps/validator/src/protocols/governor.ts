/** Governors: proposals made, queued and run, and the forms of a vote that came later than the first. */
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type Draft, type InnerCall } from "../protocol.ts";

const voted: Draft = { act: "vote" };

const governed = (kind: string): Draft => ({ act: "admin", admin: { kind, party: null } });

type Actions = {
  readonly targets: readonly Address[];
  readonly values: readonly bigint[];
  readonly calldatas: readonly Hex[];
};

/** What a proposal does when it runs is done by the organisation, not by whoever pays for the call. */
const actions = ({ targets, values, calldatas }: Actions): readonly InnerCall[] =>
  targets.map((to, index) => ({
    to,
    value: values[index] ?? 0n,
    data: calldatas[index] ?? "0x",
    at: `calldatas[${index}]`,
  }));

const ballots = [
  fn(
    "function castVoteBySig(uint256 proposalId, uint8 support, address voter, bytes signature)",
    "anywhere",
    () => voted,
  ),
  fn(
    "function castVoteWithReasonAndParamsBySig(uint256 proposalId, uint8 support, address voter, string reason, bytes params, bytes signature)",
    "anywhere",
    () => voted,
  ),
];

const proposals = [
  fn(
    "function propose(address[] targets, uint256[] values, bytes[] calldatas, string description)",
    "anywhere",
    () => governed("propose"),
  ),
  fn(
    "function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description)",
    "anywhere",
    () => governed("propose"),
  ),
  fn("function queue(uint256 proposalId)", "anywhere", () => governed("queue_proposal")),
  fn(
    "function queue(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash)",
    "anywhere",
    () => governed("queue_proposal"),
  ),
  fn("function execute(uint256 proposalId) payable", "anywhere", () => governed("execute_proposal")),
  fn(
    "function execute(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) payable",
    "anywhere",
    ([targets, values, calldatas]) => ({
      effects: [governed("execute_proposal")],
      calls: actions({ targets, values, calldatas }),
    }),
  ),
];

export default defineProtocol({
  title: "Governor",
  names: [],
  contracts: {},
  functions: [...ballots, ...proposals],
  typedData: [
    { primaryType: "ExtendedBallot", on: "anywhere", members: ["proposalId", "support"], read: () => voted },
  ],
});
