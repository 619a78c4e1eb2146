/** The entry points of account abstraction. They make accounts act and pay the bundler. */
import { word } from "../bytes/openings.ts";
import { exactly, native } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, describeFunction, fn, type CallView, type ProtocolFunction } from "../protocol.ts";
import { feeds, feedsAll, inert, openedAsCalls, openedBy } from "../uses.ts";
import {
  factoryCall,
  paymasterCall,
  paymasterCallWithLimits,
  readOperations,
  type Operation,
} from "./shared/user-operations.ts";

const ON = ["entry_point"];
const V6 =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[]";
const V7 =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[]";

const gasLimits = word("uint128 verificationGasLimit, uint128 callGasLimit", {
  verificationGasLimit: { at: 128, bits: 128, use: feeds.fee },
  callGasLimit: { at: 0, bits: 128, use: feeds.fee },
});
const gasFees = word("uint128 maxPriorityFeePerGas, uint128 maxFeePerGas", {
  maxPriorityFeePerGas: { at: 128, bits: 128, use: inert.restricts },
  maxFeePerGas: { at: 0, bits: 128, use: feeds.fee },
});

const shared = {
  sender: feedsAll("payer", "choice"),
  nonce: inert.replay,
  initCode: openedBy(factoryCall),
  callData: openedAsCalls,
  preVerificationGas: feeds.fee,
  signature: inert.signature,
};
const v6Uses = {
  ...shared,
  paymasterAndData: openedBy(paymasterCall),
  callGasLimit: feeds.fee,
  verificationGasLimit: feeds.fee,
  maxFeePerGas: feeds.fee,
  // It is never above the other fee limit.
  maxPriorityFeePerGas: inert.restricts,
};
const v7Uses = {
  ...shared,
  paymasterAndData: openedBy(paymasterCallWithLimits),
  accountGasLimits: openedBy(gasLimits),
  gasFees: openedBy(gasFees),
};

type Plainly = Pick<Operation, "sender" | "initCode" | "callData"> & {
  readonly preVerificationGas: bigint;
  readonly paymasterAndData: Hex;
};
type Packed = Plainly & { readonly accountGasLimits: Hex; readonly gasFees: Hex };
type Unpacked = Plainly & Readonly<Record<"callGasLimit" | "verificationGasLimit" | "maxFeePerGas", bigint>>;

/** A paymaster may be called twice, each time with the gas of a verification. */
const verificationsWithPaymaster = 3n;

const readV6 = (op: Unpacked, at: string, call: CallView): Operation => {
  const { callGasLimit, verificationGasLimit, preVerificationGas, paymasterAndData } = op;
  const paymaster =
    paymasterAndData === "0x"
      ? null
      : (call.open(paymasterCall, paymasterAndData, `${at}.paymasterAndData`).head["paymaster"] ?? "0x");
  const verifications = paymaster === null ? 1n : verificationsWithPaymaster;
  return {
    ...op,
    gas: preVerificationGas + callGasLimit + verificationGasLimit * verifications,
    paymaster,
  };
};

/** The later form packs two numbers into each word. */
const readV7 = (op: Packed, at: string, call: CallView): Operation => {
  const limits = call.open(gasLimits, op.accountGasLimits, `${at}.accountGasLimits`);
  const { paymasterAndData } = op;
  const head =
    paymasterAndData === "0x"
      ? null
      : call.open(paymasterCallWithLimits, paymasterAndData, `${at}.paymasterAndData`).head;
  const { paymasterVerificationGasLimit = "0x0", paymasterPostOpGasLimit = "0x0" } = head ?? {};
  return {
    ...op,
    gas:
      op.preVerificationGas +
      limits.callGasLimit +
      limits.verificationGasLimit +
      BigInt(paymasterVerificationGasLimit) +
      BigInt(paymasterPostOpGasLimit),
    maxFeePerGas: call.open(gasFees, op.gasFees, `${at}.gasFees`).maxFeePerGas,
    paymaster: head === null ? null : (head["paymaster"] ?? "0x"),
  };
};

type Form = {
  readonly type: string;
  readonly uses: typeof v6Uses | typeof v7Uses;
  readonly read: (op: unknown, at: string, call: CallView) => Operation;
};
const forms: readonly Form[] = [
  { type: V6, uses: v6Uses, read: (op, at, call) => readV6(op as Unpacked, at, call) },
  { type: V7, uses: v7Uses, read: (op, at, call) => readV7(op as Packed, at, call) },
];

type Plain = readonly [readonly unknown[], Address];
type Aggregated = readonly [readonly { readonly userOps: readonly unknown[] }[], Address];

/** The argument types are too deep for the compiler to infer. */
const handlers = forms.flatMap(({ type, uses, read }): readonly ProtocolFunction[] => [
  describeFunction(
    `function handleOps(${type} ops, address beneficiary)`,
    ON,
    { ops: uses, beneficiary: feeds.fee },
    ([ops, beneficiary]: Plain, call: CallView) =>
      readOperations(
        ops.map((op, i) => ({ ...read(op, `ops[${i}]`, call), at: `ops[${i}]` })),
        beneficiary,
        call,
      ),
  ),
  // The same, grouped by signature aggregator.
  describeFunction(
    `function handleAggregatedOps((${type} userOps, address aggregator, bytes signature)[] ops, address beneficiary)`,
    ON,
    {
      ops: { userOps: uses, aggregator: inert.signature, signature: inert.signature },
      beneficiary: feeds.fee,
    },
    ([ops, beneficiary]: Aggregated, call: CallView) =>
      readOperations(
        ops.flatMap(({ userOps }, group) =>
          userOps.map((op, i) => {
            const at = `ops[${group}].userOps[${i}]`;
            return { ...read(op, at, call), at };
          }),
        ),
        beneficiary,
        call,
      ),
  ),
]);

export default defineProtocol({
  title: "ERC-4337 entry points",
  names: [],
  contracts: {
    entry_point: {
      0: [
        "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
        "0x0000000071727de22e5e9d8baf0edac6f37da032",
        "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
        "0x433709009b8330fda32311df1c2afa402ed8d009",
      ],
    },
  },
  functions: [
    ...handlers,
    fn("function depositTo(address account) payable", ON, { account: feeds.receiver }, ([account], call) => ({
      act: "supply",
      gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
      receiver: account,
      places: { receiver: "account", amount: "value" },
    })),
    fn(
      "function withdrawTo(address withdrawAddress, uint256 withdrawAmount)",
      ON,
      { withdrawAddress: feeds.receiver, withdrawAmount: feeds.amount },
      ([to, amount]) => ({
        act: "withdraw",
        gets: [{ asset: native, amount: exactly(amount), at: "withdrawAmount" }],
        receiver: to,
        places: { receiver: "withdrawAddress", amount: "withdrawAmount" },
      }),
    ),
  ],
});
