/**
 * Ether for validators, straight into the deposit contract or through one that makes several deposits at once. Who can take it
 * out again stands in the withdrawal credentials, and nowhere else.
 */
import { exactly, native } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";

/** Credentials of kind one and two hold an address; kind nought is a key that no chain can show. */
const ownerOf = (credentials: string): Address => {
  if (!/^0[12]0{22}[0-9a-fA-F]{40}$/.test(credentials))
    throw new Error("the withdrawal credentials name no account");
  return `0x${credentials.slice(24).toLowerCase()}`;
};

const staked = (credentials: readonly string[], at: string, call: CallView): Draft => {
  const owners = new Set(credentials.map(ownerOf));
  const [owner] = owners;
  if (owner === undefined || owners.size > 1) throw new Error("the deposits belong to more than one account");
  return {
    act: "stake",
    gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
    receiver: owner,
    places: { receiver: at, amount: "value" },
  };
};

const inPieces = (packed: Hex): readonly string[] => packed.slice(2).match(/.{1,64}/g) ?? [];

export default defineProtocol({
  title: "Beacon chain deposit",
  names: ["beacon chain", "beacon deposit", "eth2", "ethereum staking", "deposit contract", "figment"],
  verbs: { supply: ["stake"], transfer: ["stake"] },
  contracts: {
    deposit: {
      1: "0x00000000219ab540356cbb839cbe05303d7705fa",
      11155111: "0x7f02c3e3c98b133055b8b348b2ac625669ed295d",
      560048: "0x00000000219ab540356cbb839cbe05303d7705fa",
    },
    kiln: {
      1: "0x576834cb068e677db4aff6ca245c7bde16c3867e",
      560048: "0x00ae9b96ef8d5d54cfcc02d9a1ccc19acd688b72",
    },
    figment: {
      1: "0x8b0d88b8be3c15d746feb0b1f18c883c03b6aa62",
      560048: "0x7ac74cb69104cea773cc3154d47c930ca6462fe8",
    },
  },
  functions: [
    fn(
      "function deposit(bytes pubkey, bytes withdrawal_credentials, bytes signature, bytes32 deposit_data_root) payable",
      ["deposit"],
      ([, credentials], call) => staked([credentials.slice(2)], "withdrawal_credentials", call),
    ),
    fn(
      "function batchDeposit(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots) payable",
      ["kiln"],
      ([, credentials], call) => staked(inPieces(credentials), "withdrawalCreds", call),
    ),
    fn(
      "function batchDepositCustom(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots, uint256 amountPerValidator) payable",
      ["kiln"],
      ([, credentials], call) => staked(inPieces(credentials), "withdrawalCreds", call),
    ),
    fn(
      "function bigBatchDeposit(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots) payable",
      ["kiln"],
      ([, credentials], call) => staked(inPieces(credentials), "withdrawalCreds", call),
    ),
    fn(
      "function bigBatchDepositCustom(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots, uint256 amountPerValidator) payable",
      ["kiln"],
      ([, credentials], call) => staked(inPieces(credentials), "withdrawalCreds", call),
    ),
    fn(
      "function deposit(bytes[] pubkeys, bytes[] withdrawal_credentials, bytes[] signatures, bytes32[] deposit_data_roots, uint256[] amounts_gwei) payable",
      ["figment"],
      ([, credentials], call) =>
        staked(
          credentials.map((each) => each.slice(2)),
          "withdrawal_credentials",
          call,
        ),
    ),
  ],
});
