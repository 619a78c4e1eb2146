/**
 * Ether for validators, sent to the deposit contract directly or through a contract that makes several deposits at
 * once. The withdrawal credentials of a key's first deposit decide who can withdraw; later ones are ignored. A key
 * that is not the owner's may already have credentials, so the request must name it.
 */
import { packed } from "../bytes/openings.ts";
import { exactly, native } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type DraftChoice } from "../protocol.ts";
import { compared, feeds, inert, openedBy } from "../uses.ts";
import { sum } from "./shared/amounts.ts";
import { depositFor, VALIDATOR_KEY_BYTES } from "./shared/staking.ts";

const keyFields = [{ name: "key", bytes: VALIDATOR_KEY_BYTES, use: feeds.choice }] as const;
const credentialFields = [
  { name: "kind", bytes: 1, use: feeds.choice },
  { name: "zeros", bytes: 11, use: compared("equal", "zero") },
  { name: "owner", bytes: 20, use: feeds.receiver },
] as const;

const keyList = packed("public keys", { head: [], repeat: keyFields });
const oneKey = packed("public key", { head: keyFields });
const credentialList = packed("withdrawal credentials of each", { head: [], repeat: credentialFields });
const oneCredential = packed("withdrawal credentials", { head: credentialFields });

type Credential = Readonly<Record<string, Hex>>;

/** Kinds one and two hold an address; kind zero is a key that no chain can show. */
const ownerOf = ({ kind, zeros = "0x", owner }: Credential): Address => {
  if ((kind !== "0x01" && kind !== "0x02") || !/^0x0+$/.test(zeros) || owner === undefined)
    throw new Error("the withdrawal credentials contain no address");
  return owner;
};

/** A validator of kind two keeps its earnings until it is told to pay. */
const compounding = (credentials: readonly Credential[], at: string): readonly DraftChoice[] =>
  credentials.flatMap(({ kind }) =>
    kind === "0x02" ? [{ what: "setting", value: "compounding", at, known: false }] : [],
  );

/** One value for each validator, and the argument that holds it. */
type Listed<T> = { readonly of: readonly T[]; readonly at: (index: number) => string };

type Deposits = {
  readonly keys: Listed<Hex>;
  readonly roots: Listed<Hex>;
  readonly credentials: readonly Credential[];
  readonly credentialsAt: string;
  /** The expected length of every list. */
  readonly counts: readonly number[];
};

const staked = (deposits: Deposits, call: CallView): Draft => {
  const { keys, roots, credentials, credentialsAt, counts } = deposits;
  if ([keys.of.length, credentials.length, ...counts].some((count) => count !== roots.of.length))
    throw new Error("the lists have different lengths");
  const owners = new Set(credentials.map(ownerOf));
  const [owner] = owners;
  if (owner === undefined || owners.size > 1) throw new Error("the deposits belong to more than one account");
  return {
    act: "stake",
    gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
    receiver: owner,
    choices: [
      ...roots.of.flatMap((root, i) =>
        depositFor({ key: keys.of[i] ?? "0x", keyAt: keys.at(i), root, rootAt: roots.at(i) }),
      ),
      ...compounding(credentials, credentialsAt),
    ],
    places: { receiver: credentialsAt, amount: "value" },
  };
};

type Batch = readonly [publicKeys: Hex, withdrawalCreds: Hex, signatures: Hex, dataRoots: readonly Hex[]];

const SIGNATURE_DIGITS = 192;

const batch = ([publicKeys, withdrawalCreds, signatures, dataRoots]: Batch, call: CallView): Draft => {
  const keys = call.open(keyList, publicKeys, "publicKeys").items;
  return staked(
    {
      keys: { of: keys.map(({ key = "0x" }) => key), at: () => "publicKeys" },
      roots: { of: dataRoots, at: (i) => `dataRoots[${i}]` },
      credentials: call.open(credentialList, withdrawalCreds, "withdrawalCreds").items,
      credentialsAt: "withdrawalCreds",
      counts: [(signatures.length - 2) / SIGNATURE_DIGITS],
    },
    call,
  );
};

/** Each validator gets the same amount, and all of the native value is spent. */
const shared = (batchArgs: Batch, amount: bigint, call: CallView): Draft => {
  if (amount * BigInt(batchArgs[3].length) !== call.value)
    throw new Error("the native token sent is not the amount for each validator");
  return batch(batchArgs, call);
};

const GWEI = 10n ** 9n;

/** The hash of each deposit covers its signature, and the hash is read: another signature makes the call fail. */
const batchUses = {
  publicKeys: openedBy(keyList),
  withdrawalCreds: openedBy(credentialList),
  signatures: inert.signature,
  dataRoots: feeds.choice,
};
const sharedUses = {
  ...batchUses,
  amountPerValidator: compared("equal", "the native token sent for each validator"),
};

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
      {
        pubkey: openedBy(oneKey),
        withdrawal_credentials: openedBy(oneCredential),
        signature: inert.signature,
        deposit_data_root: feeds.choice,
      },
      ([pubkey, credentials, , root], call) => {
        const { key = "0x" } = call.open(oneKey, pubkey, "pubkey").head;
        return staked(
          {
            keys: { of: [key], at: () => "pubkey" },
            roots: { of: [root], at: () => "deposit_data_root" },
            credentials: [call.open(oneCredential, credentials, "withdrawal_credentials").head],
            credentialsAt: "withdrawal_credentials",
            counts: [],
          },
          call,
        );
      },
    ),
    fn(
      "function batchDeposit(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots) payable",
      ["kiln"],
      batchUses,
      batch,
    ),
    fn(
      "function batchDepositCustom(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots, uint256 amountPerValidator) payable",
      ["kiln"],
      sharedUses,
      ([keys, credentials, signatures, roots, amount], call) =>
        shared([keys, credentials, signatures, roots], amount, call),
    ),
    fn(
      "function bigBatchDeposit(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots) payable",
      ["kiln"],
      batchUses,
      batch,
    ),
    fn(
      "function bigBatchDepositCustom(bytes publicKeys, bytes withdrawalCreds, bytes signatures, bytes32[] dataRoots, uint256 amountPerValidator) payable",
      ["kiln"],
      sharedUses,
      ([keys, credentials, signatures, roots, amount], call) =>
        shared([keys, credentials, signatures, roots], amount, call),
    ),
    fn(
      "function deposit(bytes[] pubkeys, bytes[] withdrawal_credentials, bytes[] signatures, bytes32[] deposit_data_roots, uint256[] amounts_gwei) payable",
      ["figment"],
      {
        pubkeys: openedBy(oneKey),
        withdrawal_credentials: openedBy(oneCredential),
        signatures: inert.signature,
        deposit_data_roots: feeds.choice,
        amounts_gwei: compared("equal", "all of the native token sent"),
      },
      ([pubkeys, credentials, signatures, roots, amounts], call) => {
        if (sum(amounts) * GWEI !== call.value)
          throw new Error("the native token sent is not the sum of the deposits");
        return staked(
          {
            keys: {
              of: pubkeys.map((pubkey, i) => call.open(oneKey, pubkey, `pubkeys[${i}]`).head["key"] ?? "0x"),
              at: (i) => `pubkeys[${i}]`,
            },
            roots: { of: roots, at: (i) => `deposit_data_roots[${i}]` },
            credentials: credentials.map(
              (each, i) => call.open(oneCredential, each, `withdrawal_credentials[${i}]`).head,
            ),
            credentialsAt: "withdrawal_credentials",
            counts: [signatures.length, amounts.length],
          },
          call,
        );
      },
    ),
  ],
});
