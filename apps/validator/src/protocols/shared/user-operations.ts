/** What a user operation asks of the entry point, in either of its two forms. */
import { atMost, native } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, InnerCall, Read } from "../../protocol.ts";

export type Operation = {
  readonly sender: Address;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly paymasterAndData: Hex;
  readonly preVerificationGas: bigint;
  readonly maxFeePerGas: bigint;
};

const EXECUTE_USER_OP = "0x8dd7712f";
/** Gas that is paid whether or not it was used: beyond this much coin it is no longer a price of gas. */
const LARGEST_HIDDEN_FEE = 5n * 10n ** 16n;

/** The account is told to act by its own call data; some forms put a selector before it and run the rest. */
const actOf = ({ sender, callData }: Operation, i: number, isOwn: boolean): readonly InnerCall[] => {
  const data: Hex = callData.startsWith(EXECUTE_USER_OP) ? `0x${callData.slice(10)}` : callData;
  if (data === "0x") return [];
  return [
    {
      to: sender,
      value: 0n,
      data,
      at: `ops[${i}].callData`,
      ...(isOwn ? { account: sender, sender: "self" } : {}),
    },
  ];
};

const aside = (operation: Operation, beneficiary: Address, i: number): readonly Draft[] => {
  const drafts: Draft[] = [];
  const { initCode, paymasterAndData } = operation;
  const fee = operation.preVerificationGas * operation.maxFeePerGas;
  if (initCode.length >= 42 && !initCode.startsWith("0x7702")) {
    const factory = initCode.slice(0, 42) as Address;
    const at = `ops[${i}].initCode`;
    drafts.push({ act: "deploy", admin: { kind: "deploy_account", party: factory }, places: { party: at } });
  }
  if (paymasterAndData.length >= 42) {
    const at = `ops[${i}].paymasterAndData`;
    drafts.push({
      act: "harmless",
      receiver: paymasterAndData.slice(0, 42) as Address,
      places: { receiver: at },
    });
  }
  if (fee > LARGEST_HIDDEN_FEE) {
    drafts.push({
      act: "transfer",
      payer: operation.sender,
      gives: [{ asset: native, amount: atMost(fee), at: `ops[${i}].preVerificationGas` }],
      receiver: beneficiary,
      places: { receiver: "beneficiary", amount: `ops[${i}].preVerificationGas` },
    });
  }
  return drafts;
};

export const readOperations = (
  operations: readonly Operation[],
  beneficiary: Address,
  call: CallView,
): Read => ({
  effects: operations.flatMap((operation, i) => aside(operation, beneficiary, i)),
  calls: operations.flatMap((operation, i) =>
    actOf(operation, i, operations.length === 1 || call.isSelf?.(operation.sender) === true),
  ),
});

/** Two 128-bit numbers in one word: the second is the highest price of gas. */
export const lowHalf = (word: Hex): bigint => BigInt(`0x${word.slice(34)}`);
