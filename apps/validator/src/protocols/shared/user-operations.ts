/** The effects of a user operation, in either of its two forms. */
import { atMost, native } from "../../effects.ts";
import { packed } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, InnerCall, Read } from "../../protocol.ts";
import { feeds, inert } from "../../uses.ts";
import { code } from "./admin-drafts.ts";

export type Operation = {
  readonly sender: Address;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly paymasterAndData: Hex;
  readonly callGasLimit: bigint;
  readonly preVerificationGas: bigint;
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

const EXECUTE_USER_OP = "0x8dd7712f";
/** Gas that is paid whether or not it was used. More native value than this is not a price of gas. */
const LARGEST_HIDDEN_FEE = 5n * 10n ** 16n;
/** A tenth of the gas that was reserved and not used is kept. */
const UNUSED_GAS_PENALTY = 10n;

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

const paymasterOf = ({ paymasterAndData }: Operation, at: string, call: CallView): readonly DraftChoice[] => {
  if (paymasterAndData === "0x") return [];
  const { paymaster = "0x" } = call.open(paymasterCall, paymasterAndData, `${at}.paymasterAndData`).head;
  return [{ what: "paymaster", value: paymaster, at: `${at}.paymasterAndData` }];
};

/** The account pays the bundler for gas. More than gas can cost is a payment like any other. */
const paid = (operation: Operation, beneficiary: Address, at: string, call: CallView): Draft => {
  const { preVerificationGas, callGasLimit, maxFeePerGas, sender } = operation;
  const fee = ((preVerificationGas * UNUSED_GAS_PENALTY + callGasLimit) * maxFeePerGas) / UNUSED_GAS_PENALTY;
  const choices = paymasterOf(operation, at, call);
  const where = `${at}.preVerificationGas`;
  if (fee <= LARGEST_HIDDEN_FEE)
    return {
      act: "harmless",
      payer: sender,
      fees: [{ to: beneficiary, asset: native, share: atMost(fee), at: where }],
      choices,
    };
  return {
    act: "transfer",
    payer: sender,
    gives: [{ asset: native, amount: atMost(fee), at: where }],
    receiver: beneficiary,
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
    paid(operation, beneficiary, operation.at, call),
  ]),
  calls: operations.flatMap((operation) => actOf(operation, operation.at)),
});
