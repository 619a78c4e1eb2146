// Signs a user operation with a smart account: only an approved one, with a nonce that the entry point accepts next.
import { largestFee, parseUserOperation, TypedDataProblem, type UserOperation } from "@countersign/wire";
import type { SmartAccount, UserOperation as ViemUserOperation } from "viem/account-abstraction";
import { getChainId } from "viem/actions";
import { defaultMaxFee, limitFee } from "../guard/check-fee.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import { signApproved } from "../guard/sign-approved.ts";
import type { Hex } from "../types.ts";
import { checkUsable, verifyByAccount } from "./ask-smart-account.ts";
import type { SmartAccountOptions } from "./smart-account-options.ts";

export type AskedOperation = Parameters<SmartAccount["signUserOperation"]>[0];

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

/** Returns the signature. Throws a NotApprovedError if it was not approved; then nothing was signed. */
export async function signUserOperationApproved(
  account: SmartAccount,
  asked: AskedOperation,
  { escrowAddress = account.address, maxFee = defaultMaxFee, words, ...options }: SmartAccountOptions,
): Promise<Hex> {
  const { client } = account;
  // Copied before anything is awaited.
  const read = readOperation(account, { ...asked });
  const userOperation = read(asked.chainId ?? client.chain?.id ?? (await getChainId(client)));
  limitFee(largestFee(userOperation), maxFee, "Not signed");
  await checkUsable(client, userOperation);
  return signApproved(
    { address: escrowAddress, chainId: client.chain?.id, readChainId: () => getChainId(client) },
    {
      payload: { shape: "userOperation", userOperation },
      words: typeof words === "string" ? words : await words(userOperation),
      sign: () => account.signUserOperation(writeOperation(userOperation)),
      verify: verifyByAccount(client, userOperation),
    },
    options,
  );
}

/** All members that the hash covers, except those that the account itself knows. */
const members = [
  ...(["nonce", "factory", "factoryData", "callData", "callGasLimit", "verificationGasLimit"] as const),
  ...(["preVerificationGas", "maxFeePerGas", "maxPriorityFeePerGas", "paymaster"] as const),
  ...(["paymasterVerificationGasLimit", "paymasterPostOpGasLimit", "paymasterData"] as const),
] as const;

/** Returns the user operation that will be proposed, for a chain. Libraries add members of their own, which are left out. */
function readOperation({ address, entryPoint }: SmartAccount, given: AskedOperation) {
  const { sender = address, authorization } = given as AskedOperation & { readonly authorization?: unknown };
  if (sender.toLowerCase() !== address.toLowerCase()) refuse("its sender is another account");
  if (authorization !== undefined)
    refuse("it needs an EIP-7702 authorization, which is not part of it. Sign that with guard first");
  const picked = Object.fromEntries(members.map((name) => [name, given[name as keyof AskedOperation]]));
  return (chainId: number): UserOperation => {
    try {
      return parseUserOperation({ ...picked, chainId, sender, entryPoint: entryPoint.address });
    } catch (error) {
      if (error instanceof TypedDataProblem) return refuse(`its ${error.at} ${error.message}`);
      throw error;
    }
  };
}

/** Returns the approved operation in the form of viem. */
function writeOperation(operation: UserOperation): AskedOperation {
  const { chainId, sender, callData, factory, factoryData, paymaster, paymasterData } = operation;
  const written = {
    ...{ chainId, sender, callData, nonce: BigInt(operation.nonce) },
    callGasLimit: BigInt(operation.callGasLimit),
    verificationGasLimit: BigInt(operation.verificationGasLimit),
    preVerificationGas: BigInt(operation.preVerificationGas),
    maxFeePerGas: BigInt(operation.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
    ...(factory === null ? {} : { factory, factoryData }),
    ...(paymaster === null
      ? {}
      : {
          ...{ paymaster, paymasterData },
          paymasterVerificationGasLimit: BigInt(operation.paymasterVerificationGasLimit),
          paymasterPostOpGasLimit: BigInt(operation.paymasterPostOpGasLimit),
        }),
  };
  return { ...written, signature: "0x" } satisfies ViemUserOperation & { readonly chainId: number };
}
