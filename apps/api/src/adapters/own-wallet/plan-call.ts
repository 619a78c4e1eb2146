// Simulates a call of one of our contracts on the current chain and prepares it for signing.
import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  keccak256,
  type Abi,
  type Hex,
  type PublicClient,
} from "viem";
import type { SigningAccount } from "@countersign/platform/kms";

export type ContractCall = {
  readonly address: Hex;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
};

/** The key may be in memory or in a key service. */
export type OwnSigner = Pick<SigningAccount, "address" | "signTransaction">;

type SignedTransaction = { readonly bytes: Hex; readonly hash: Hex };

/** A transaction that needs only its nonce. */
export type Plan = {
  readonly chainId: number;
  /** In lower case. */
  readonly signer: Hex;
  /** The number of the signer's transactions in blocks. Pending ones may vanish and would leave a gap. */
  readonly transactionCount: number;
  readonly sign: (nonce: number) => Promise<SignedTransaction>;
};

/** The contract refuses, with the name of its error. */
export type Refusal = { readonly refusal: string };

type Chain = {
  readonly client: PublicClient;
  readonly chainId: number;
  readonly signer: () => Promise<OwnSigner>;
};

/** The transaction is never signed again with a higher fee, so the limit has room for a rising base fee. */
const feeHeadroom = 5;

export async function planCall(chain: Chain, call: ContractCall): Promise<Plan | Refusal> {
  const { client, chainId } = chain;
  const served = await client.getChainId();
  if (served !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${served}`);
  const wallet = await chain.signer();
  const refusal = await refusalOf(client, call, wallet.address);
  if (refusal !== undefined) return { refusal };
  try {
    return await planAllowed(chain, call, wallet);
  } catch (error) {
    // Another process may have had the same call mined since. Nodes do not always say why they cannot estimate.
    const late = await refusalOf(client, call, wallet.address);
    if (late !== undefined) return { refusal: late };
    throw error;
  }
}

async function planAllowed({ client, chainId }: Chain, call: ContractCall, wallet: OwnSigner): Promise<Plan> {
  const [transactionCount, gas, fees] = await Promise.all([
    client.getTransactionCount({ address: wallet.address, blockTag: "latest" }),
    client.estimateContractGas({ ...call, account: wallet.address }),
    readFees(client),
  ]);
  const fixed = { type: "eip1559", chainId, to: call.address, data: encodeFunctionData(call) } as const;
  return {
    chainId,
    signer: lowerCase(wallet.address),
    transactionCount,
    sign: (nonce) => sign(wallet, { ...fixed, ...fees, nonce, gas: (gas * 5n) / 4n }),
  };
}

/** The name of the contract's error, or undefined if it takes the call. */
async function refusalOf(
  client: PublicClient,
  call: ContractCall,
  account: Hex,
): Promise<string | undefined> {
  try {
    await client.simulateContract({ ...call, account });
    return undefined;
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

async function sign(
  wallet: OwnSigner,
  transaction: Parameters<OwnSigner["signTransaction"]>[0],
): Promise<SignedTransaction> {
  const bytes = await wallet.signTransaction(transaction);
  return { bytes, hash: keccak256(bytes) };
}

async function readFees(
  client: PublicClient,
): Promise<{ readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }> {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock({ blockTag: "latest" }),
    client.estimateMaxPriorityFeePerGas(),
  ]);
  if (baseFeePerGas === null) throw new Error("the chain has no base fee (EIP-1559)");
  return {
    maxFeePerGas: baseFeePerGas * BigInt(feeHeadroom) + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  };
}

function refusalIn(error: unknown): string | undefined {
  const revert =
    error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : null;
  if (!(revert instanceof ContractFunctionRevertedError)) return undefined;
  return revert.data?.errorName ?? revert.reason ?? "no reason";
}

const lowerCase = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`;
