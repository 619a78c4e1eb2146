// The AccountRegistry on the home chain. Everything here may be asked again: nothing keeps state but the chain.
import { setTimeout as sleep } from "node:timers/promises";
import { accountRegistryAbi } from "@countersign/contracts/abi";
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  http,
  keccak256,
  TransactionReceiptNotFoundError,
  type Hex,
  type PublicClient,
} from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

/** What is to be on the chain: whose key it is, and the hash of the signature by which its owner asked for it. */
type RegistryEntry = {
  readonly account: Hex;
  readonly fingerprint: Hex;
  readonly signatureHash: Hex;
};
type SignedTransaction = { readonly bytes: Hex; readonly hash: Hex };
type SentTransaction = SignedTransaction & { readonly signer: Hex; readonly nonce: number };

/** A transaction that needs only its nonce. */
type Plan = {
  /** In lower case. */
  readonly signer: Hex;
  /** How many transactions of the signer are in blocks. Those that only wait may vanish, and would leave a gap. */
  readonly transactionCount: number;
  readonly sign: (nonce: number) => Promise<SignedTransaction>;
};

/** "displaced": another transaction of the signer used up the nonce, and that is final. This one can never happen. */
type Outcome = "recorded" | "recorded-by-account" | "refused" | "displaced";

export type Registry = {
  readonly chainId: number;
  /** "recorded-by-account": the account wrote its own record, and the registry takes no other. */
  readonly plan: (entry: RegistryEntry) => Promise<Plan | "recorded-by-account">;
  /** Sent twice is sent once. Returns also if the nonce is used up: by what, `outcomeOf` says. */
  readonly send: (bytes: Hex) => Promise<void>;
  /** Undefined while nobody can know. */
  readonly outcomeOf: (sent: SentTransaction, account: Hex) => Promise<Outcome | undefined>;
  /** Asks for the outcome for some seconds, and sends the same bytes again should the chain have forgotten them. */
  readonly waitForOutcome: (sent: SentTransaction, account: Hex) => Promise<Outcome>;
};

type Options = {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly address: Hex;
  /** Asked for each time, so that another key counts without a restart. */
  readonly registrarKey: () => Promise<Hex>;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
};
type Chain = Options & { readonly client: PublicClient };

/** What the registry is given of the signature by which an owner asked. */
export const hashSignature = (signature: Hex): Buffer => Buffer.from(keccak256(signature, "bytes"));

/** The bytes are never signed again with a better fee, so the limit has room for a base fee that grows. */
const feeHeadroom = 5;
const looks = 15;
const alreadySent = /already known|already imported|already exists|known transaction|nonce too low/i;

export function makeRegistry(options: Options): Registry {
  const { chainId, rpcUrl, timeoutMs = 5_000, pollMs = 1_000 } = options;
  const client = createPublicClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: timeoutMs }),
    // A contract must not make us fetch what it names (EIP-3668).
    ccipRead: false,
  });
  const chain: Chain = { ...options, client };
  const registry: Registry = {
    chainId,
    plan: (entry) => quietly(() => plan(chain, entry)),
    send: (bytes) => quietly(() => send(chain, bytes)),
    outcomeOf: (sent, account) => quietly(() => outcomeOf(chain, sent, account)),
    waitForOutcome: async (sent, account) => {
      for (let look = 1; look <= looks; look++) {
        const outcome = await registry.outcomeOf(sent, account);
        if (outcome !== undefined) return outcome;
        await sleep(pollMs);
      }
      await registry.send(sent.bytes);
      throw new Error(`${sent.hash} is in no block yet`);
    },
  };
  return registry;
}

async function plan(chain: Chain, entry: RegistryEntry): Promise<Plan | "recorded-by-account"> {
  const { client, chainId, address } = chain;
  const served = await client.getChainId();
  if (served !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${served}`);
  const registrar = privateKeyToAccount(await chain.registrarKey());
  const call = {
    address,
    abi: accountRegistryAbi,
    functionName: "record",
    args: [entry.account, entry.fingerprint, entry.signatureHash],
  } as const;
  try {
    await client.simulateContract({ ...call, account: registrar.address });
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === "RecordedByAccount") return "recorded-by-account";
    if (refusal === undefined) throw error;
    throw new Error(`the registry at ${address} refuses ${registrar.address}: ${refusal}`, { cause: error });
  }
  const [transactionCount, gas, fees] = await Promise.all([
    client.getTransactionCount({ address: registrar.address, blockTag: "latest" }),
    client.estimateContractGas({ ...call, account: registrar.address }),
    readFees(client),
  ]);
  const data = encodeFunctionData(call);
  return {
    signer: lowerCase(registrar.address),
    transactionCount,
    sign: (nonce) =>
      sign(registrar, { type: "eip1559", chainId, nonce, to: address, data, gas: (gas * 5n) / 4n, ...fees }),
  };
}

async function sign(
  registrar: PrivateKeyAccount,
  transaction: Parameters<PrivateKeyAccount["signTransaction"]>[0],
): Promise<SignedTransaction> {
  const bytes = await registrar.signTransaction(transaction);
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

async function send({ client }: Chain, bytes: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: bytes });
  } catch (error) {
    // In full, because viem has words of its own for what nodes say.
    if (!(error instanceof BaseError) || !alreadySent.test(`${error.details} ${error.message}`)) throw error;
  }
}

async function outcomeOf(chain: Chain, sent: SentTransaction, account: Hex): Promise<Outcome | undefined> {
  const found = await readReceipt(chain, sent.hash, account);
  if (found !== undefined) return found;
  const settled = await chain.client.getTransactionCount({ address: sent.signer, blockTag: "finalized" });
  if (settled <= sent.nonce) return undefined;
  // Once more: it may have come into a block between the two questions.
  return (await readReceipt(chain, sent.hash, account)) ?? "displaced";
}

async function readReceipt(
  { client, address }: Chain,
  hash: Hex,
  account: Hex,
): Promise<Outcome | undefined> {
  try {
    const { status, blockNumber } = await client.getTransactionReceipt({ hash });
    if (status === "success") return "recorded";
    const { byAccount } = await client.readContract({
      address,
      abi: accountRegistryAbi,
      functionName: "recordOf",
      args: [account],
      blockNumber,
    });
    return byAccount ? "recorded-by-account" : "refused";
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

function refusalIn(error: unknown): string | undefined {
  const revert =
    error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : null;
  if (!(revert instanceof ContractFunctionRevertedError)) return undefined;
  return revert.data?.errorName ?? revert.reason ?? "no reason";
}

/** viem puts the node's address in its messages, which may hold an access key, and errors of steps reach the engine's log. */
function quietened(error: unknown): Error {
  if (error instanceof BaseError) return new Error(`the home chain: ${error.shortMessage}`);
  // Without its cause, which would be such a message again.
  return new Error(error instanceof Error ? error.message : "the home chain could not be asked");
}

async function quietly<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw quietened(error);
  }
}

const lowerCase = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`;
