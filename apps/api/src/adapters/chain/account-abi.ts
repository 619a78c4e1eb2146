// The functions by which Safes and ERC-4337 accounts run calls, and the events that report them.
import { parseAbi, toEventSelector } from "viem/utils";

export const safeAbi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
]);
export const entryPointAbi = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
export const accountAbi = parseAbi([
  "function execute(address to, uint256 value, bytes data)",
  "function executeBatch((address to, uint256 value, bytes data)[] calls)",
  "function execute(bytes32 mode, bytes executionData)",
]);

export const accountTopics = {
  executionSuccess: toEventSelector("ExecutionSuccess(bytes32,uint256)"),
  executionFailure: toEventSelector("ExecutionFailure(bytes32,uint256)"),
  userOperation: toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"),
} as const;
