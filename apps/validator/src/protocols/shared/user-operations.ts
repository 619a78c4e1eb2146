/** The effects of a user operation, in either of its two forms. */
import { atMost, native, type Party } from "../../effects.ts";
import { packed } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, InnerCall, Read } from "../../protocol.ts";
import { feeds, inert } from "../../uses.ts";
import { code } from "./admin-drafts.ts";

export type Operation = {
  readonly sender: Address;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly paymaster: Hex | null;
  /** The limits of everything that is charged for. */
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
};

export const factoryCall = packed("address factory, bytes factoryData, packed", {
  head: [
    { name: "factory", bytes: 20, use: feeds.admin },
    { name: "factoryData", bytes: "rest", use: feeds.choice },
  ],
});

/** The paymaster and its data: gas limits, a signature, a token to be paid in. */
export const paymasterCall = packed("address paymaster, bytes paymasterData, packed", {
  head: [
    { name: "paymaster", bytes: 20, use: feeds.choice },
    { name: "paymasterData", bytes: "rest", use: inert.signature },
  ],
});

/** Since version 0.7 the paymaster's gas limits stand before its data. */
export const paymasterCallWithLimits = packed(
  "address paymaster, uint128 paymasterVerificationGasLimit, uint128 paymasterPostOpGasLimit, bytes paymasterData, packed",
  {
    head: [
      { name: "paymaster", bytes: 20, use: feeds.choice },
      { name: "paymasterVerificationGasLimit", bytes: 16, use: feeds.fee },
      { name: "paymasterPostOpGasLimit", bytes: 16, use: feeds.fee },
      { name: "paymasterData", bytes: "rest", use: inert.signature },
    ],
  },
);

const EXECUTE_USER_OP = "0x8dd7712f";
/** The account pays this in advance. More native value than this is not a price of gas. */
const LARGEST_HIDDEN_FEE = 5n * 10n ** 16n;
const NO_ONE = /^0x0{40}$/;

/** The account acts by its own call data. Some forms have a selector before it and run the rest. */
const actOf = ({ sender, callData }: Operation, at: string): readonly InnerCall[] => {
  const data: Hex = callData.startsWith(EXECUTE_USER_OP) ? `0x${callData.slice(10)}` : callData;
  if (data === "0x") return [];
  return [{ to: sender, value: 0n, data, at: `${at}.callData`, account: sender, sender: "self" }];
};

const deployed = ({ initCode }: Operation, at: string, call: CallView): readonly Draft[] => {
  // The marker of an EIP-7702 delegation, which is checked where it is given.
  if (initCode === "0x" || initCode.startsWith("0x7702")) return [];
  const { factory = "0x", factoryData = "0x" } = call.open(factoryCall, initCode, `${at}.initCode`).head;
  return [
    {
      act: "deploy",
      admin: { kind: "deploy_account", party: factory },
      choices: code(factoryData, `${at}.initCode`),
      places: { party: `${at}.initCode` },
    },
  ];
};

const paymasterOf = ({ paymaster }: Operation, at: string): readonly DraftChoice[] =>
  paymaster === null ? [] : [{ what: "paymaster", value: paymaster, at: `${at}.paymasterAndData` }];

/**
 * The account pays the bundler for gas, or pays a paymaster back for it. The bundler chooses how much it charges below the limits, so all of
 * them count. More than gas costs is a payment like any other.
 */
const paid = (operation: Operation, beneficiary: Address, at: string): Draft => {
  const { gas, maxFeePerGas, sender } = operation;
  const fee = gas * maxFeePerGas;
  const choices = paymasterOf(operation, at);
  const where = `${at}.preVerificationGas`;
  // An operation that is not sent yet can be sent by any bundler: its fee is a network fee, as that of a transaction.
  const bundler: Party = NO_ONE.test(beneficiary) ? "venue" : beneficiary;
  if (fee <= LARGEST_HIDDEN_FEE)
    return {
      act: "harmless",
      payer: sender,
      fees: [{ to: bundler, asset: native, share: atMost(fee), at: where }],
      choices,
    };
  return {
    act: "transfer",
    payer: sender,
    gives: [{ asset: native, amount: atMost(fee), at: where }],
    receiver: bundler,
    choices,
    places: { receiver: "beneficiary", amount: where },
  };
};

/** `at`: the path of each operation. */
export const readOperations = (
  operations: readonly (Operation & { readonly at: string })[],
  beneficiary: Address,
  call: CallView,
): Read => ({
  effects: operations.flatMap((operation) => [
    ...deployed(operation, operation.at, call),
    paid(operation, beneficiary, operation.at),
  ]),
  calls: operations.flatMap((operation) => actOf(operation, operation.at)),
});
