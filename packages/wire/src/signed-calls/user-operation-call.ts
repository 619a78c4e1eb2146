// The call with which a bundler executes a user operation.
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { packUserOperation } from "../packed-user-operation.ts";
import type { UserOperation } from "../user-operation.ts";

const handleOps = parseAbi([
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function handleOps(PackedUserOperation[] ops, address beneficiary)",
]);

/** Any bundler may execute the operation, so the receiver of the fees is not known. */
const anyBundler: Hex = `0x${"0".repeat(40)}`;

/** Returns the call that executes the operation, without its signature: for readers of calls, not for sending. */
export function userOperationCall(operation: UserOperation): { readonly to: Hex; readonly data: Hex } {
  const { nonce, preVerificationGas, ...packed } = packUserOperation(operation);
  const amounts = { nonce: BigInt(nonce), preVerificationGas: BigInt(preVerificationGas) };
  return {
    to: operation.entryPoint,
    data: encodeFunctionData({
      abi: handleOps,
      args: [[{ ...packed, ...amounts, signature: "0x" }], anyBundler],
    }),
  };
}
