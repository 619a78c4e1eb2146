/** The entry points of account abstraction. They make accounts act and pay whoever brought the operations. */
import { exactly, native } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type ProtocolFunction } from "../protocol.ts";
import { lowHalf, readOperations, type Operation } from "./shared/user-operations.ts";

const ON = ["entry_point"];
const V6 =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[]";
const V7 =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[]";

type Packed = Omit<Operation, "maxFeePerGas"> & { readonly gasFees: Hex };
type Aggregated = readonly [readonly { readonly userOps: readonly unknown[] }[], Address];

/** The same, grouped by who checks the signatures. The type of its arguments is too deep for the compiler to work out. */
const aggregated = (
  form: string,
  plain: (ops: readonly unknown[]) => readonly Operation[],
): ProtocolFunction => ({
  signature: `function handleAggregatedOps((${form} userOps, address aggregator, bytes signature)[] ops, address beneficiary)`,
  on: ON,
  payable: false,
  read: ([ops, beneficiary]: Aggregated, call) =>
    readOperations(plain(ops.flatMap(({ userOps }) => userOps)), beneficiary, call),
});

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
    fn(`function handleOps(${V6} ops, address beneficiary)`, ON, ([ops, beneficiary], call) =>
      readOperations(ops, beneficiary, call),
    ),
    fn(`function handleOps(${V7} ops, address beneficiary)`, ON, ([ops, beneficiary], call) =>
      readOperations(
        ops.map((op) => ({ ...op, maxFeePerGas: lowHalf(op.gasFees) })),
        beneficiary,
        call,
      ),
    ),
    aggregated(V6, (ops) => ops as readonly Operation[]),
    aggregated(V7, (ops) =>
      (ops as readonly Packed[]).map((op) => ({ ...op, maxFeePerGas: lowHalf(op.gasFees) })),
    ),
    fn("function depositTo(address account) payable", ON, ([account], call) => ({
      act: "supply",
      gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
      receiver: account,
      places: { receiver: "account", amount: "value" },
    })),
    fn("function withdrawTo(address withdrawAddress, uint256 withdrawAmount)", ON, ([to, amount]) => ({
      act: "withdraw",
      gets: [{ asset: native, amount: exactly(amount), at: "withdrawAmount" }],
      receiver: to,
      places: { receiver: "withdrawAddress", amount: "withdrawAmount" },
    })),
  ],
});
