// Asks the chain about a smart account, with the account's own node: what no request says about a user operation.
import { packUserOperation, type UserOperation } from "@countersign/wire";
import type { SmartAccount } from "viem/account-abstraction";
import { call, getCode, readContract } from "viem/actions";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { CountersignError } from "../errors.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import type { Verify } from "../guard/sign-exactly.ts";
import type { Hex } from "../types.ts";

type Client = SmartAccount["client"];

const abi = parseAbi([
  "function getNonce(address sender, uint192 key) view returns (uint256)",
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function validateUserOp(PackedUserOperation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)",
]);

/** The key of a nonce is above its sequence number. */
const sequenceBits = 64n;

/**
 * Throws a NotApprovedError unless the nonce is the next one of its key, and the account exists or is created by the operation. A signature for a
 * later nonce could be used at a time that the owner does not expect.
 */
export async function checkUsable(
  client: Client,
  { entryPoint, sender, nonce, factory }: UserOperation,
): Promise<void> {
  const key = BigInt(nonce) >> sequenceBits;
  const next = await readContract(client, {
    ...{ abi, address: entryPoint, functionName: "getNonce", args: [sender, key] },
  });
  if (next !== BigInt(nonce))
    throw new NotApprovedError(
      `Not signed: nonce ${nonce} is not the smart account's next one for its key, ${next}`,
    );
  if (factory === null && (await getCode(client, { address: sender })) === undefined)
    throw new NotApprovedError("Not signed: the smart account has no code on this chain");
}

/** The lower 20 bytes of the answer: 0 for a valid signature, 1 for another one, or a contract that would have to be asked. */
const validMask = (1n << 160n) - 1n;

/**
 * Has the account itself verify the signature, as its entry point does, because each account defines its own. One that the operation creates
 * cannot be asked yet.
 */
export const verifyByAccount =
  (client: Client, operation: UserOperation): Verify =>
  async (signingHash, signature) => {
    if (operation.factory !== null) return;
    const { nonce, preVerificationGas, ...packed } = packUserOperation(operation);
    const amounts = { nonce: BigInt(nonce), preVerificationGas: BigInt(preVerificationGas) };
    const asked = encodeFunctionData({
      ...{ abi, functionName: "validateUserOp" },
      args: [{ ...packed, ...amounts, signature }, signingHash, 0n],
    });
    const answer = await askAs(client, operation.entryPoint, operation.sender, asked);
    if (answer?.length !== 66 || (BigInt(answer) & validMask) !== 0n)
      throw new CountersignError("Approved, but the smart account does not accept its own signature");
  };

/** Returns undefined if the call reverts. */
const askAs = (client: Client, account: Hex, to: Hex, data: Hex): Promise<Hex | undefined> =>
  call(client, { account, to, data }).then(
    (answer) => answer.data,
    () => undefined,
  );
