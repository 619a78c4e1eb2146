/** Governors: proposals created, queued and executed, and the later forms of a vote. */
import { keccak256, stringToBytes } from "viem/utils";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type InnerCall } from "../protocol.ts";
import { feeds, inert, openedAsCalls } from "../uses.ts";
import { administer, picking } from "./shared/admin-drafts.ts";
import { vote } from "./shared/ballots.ts";
import { addressAt, hexAt, integerAt } from "./shared/signed-fields.ts";

const governed = (call: CallView, kind: string): Draft => administer(call, kind, null, null);

const about = (call: CallView, kind: string, proposal: bigint): Draft =>
  picking(governed(call, kind), { what: "proposal", value: proposal, at: "proposalId" });

type Actions = {
  readonly targets: readonly Address[];
  readonly values: readonly bigint[];
  readonly calldatas: readonly Hex[];
};

/** The actions of a proposal, by their hash: they are too long to be stated in a request. */
const planned = (call: CallView, kind: string, plan: readonly unknown[]): Draft => {
  const text = JSON.stringify(plan, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return picking(governed(call, kind), {
    what: "code",
    value: keccak256(stringToBytes(text)),
    at: "targets",
  });
};

/** The organisation performs the actions of a proposal, not the account that executes it. */
const actions = ({ targets, values, calldatas }: Actions): readonly InnerCall[] => {
  if (targets.length !== values.length || targets.length !== calldatas.length)
    throw new Error("the lists have different lengths");
  return targets.map((to, index) => ({
    to,
    value: values[index] ?? 0n,
    data: calldatas[index] ?? "0x",
    at: `calldatas[${index}]`,
  }));
};

const ballot = {
  proposalId: feeds.choice,
  support: feeds.choice,
  voter: feeds.payer,
  signature: inert.signature,
};
const plan = { targets: feeds.choice, values: feeds.choice, calldatas: feeds.choice };

const ballots = [
  fn(
    "function castVoteBySig(uint256 proposalId, uint8 support, address voter, bytes signature)",
    "anywhere",
    ballot,
    ([proposal, support, voter], call) => ({ ...vote({ proposal, support }, call), payer: voter }),
  ),
  fn(
    "function castVoteWithReasonAndParamsBySig(uint256 proposalId, uint8 support, address voter, string reason, bytes params, bytes signature)",
    "anywhere",
    { ...ballot, reason: inert.label, params: feeds.choice },
    ([proposal, support, voter, , params], call) => ({
      ...vote({ proposal, support, params }, call),
      payer: voter,
    }),
  ),
];

const proposals = [
  fn(
    "function propose(address[] targets, uint256[] values, bytes[] calldatas, string description)",
    "anywhere",
    { ...plan, description: feeds.choice },
    (args, call) => planned(call, "propose", args),
  ),
  fn(
    "function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description)",
    "anywhere",
    { ...plan, signatures: feeds.choice, description: feeds.choice },
    (args, call) => planned(call, "propose", args),
  ),
  fn("function queue(uint256 proposalId)", "anywhere", { proposalId: feeds.choice }, ([id], call) =>
    about(call, "queue_proposal", id),
  ),
  fn(
    "function queue(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash)",
    "anywhere",
    { ...plan, descriptionHash: feeds.choice },
    (args, call) => planned(call, "queue_proposal", args),
  ),
  fn("function execute(uint256 proposalId) payable", "anywhere", { proposalId: feeds.choice }, ([id], call) =>
    about(call, "execute_proposal", id),
  ),
  fn(
    "function execute(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) payable",
    "anywhere",
    {
      targets: openedAsCalls,
      values: openedAsCalls,
      calldatas: openedAsCalls,
      descriptionHash: feeds.choice,
    },
    ([targets, values, calldatas, description], call) => ({
      effects: [planned(call, "execute_proposal", [targets, values, calldatas, description])],
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
    {
      primaryType: "ExtendedBallot",
      on: "anywhere",
      members: ["proposalId", "support"],
      uses: { ...ballot, nonce: inert.replay, reason: inert.label, params: feeds.choice },
      read: ({ message }, call) => ({
        ...vote(
          {
            proposal: integerAt(message, "proposalId"),
            support: integerAt(message, "support"),
            ...("params" in message ? { params: hexAt(message, "params") } : {}),
          },
          call,
          "message.",
        ),
        ...("voter" in message ? { payer: addressAt(message, "voter") } : {}),
      }),
    },
  ],
});
