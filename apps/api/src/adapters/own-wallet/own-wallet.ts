// A wallet of the service itself on the home chain. Every call may be repeated: the only state is on the chain.
import { setTimeout as sleep } from "node:timers/promises";
import {
  BaseError,
  createPublicClient,
  TransactionReceiptNotFoundError,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";
import { planCall, type ContractCall, type OwnSigner, type Plan, type Refusal } from "./plan-call.ts";
import { quietly } from "./quietly.ts";

/** A transaction that was signed and stored. */
type Kept = { readonly signer: Hex; readonly nonce: number; readonly hash: Hex };

/**
 * mined: successful, and as deep as requested. reverted: in a final block, without effect. displaced: another
 * transaction of the signer used the nonce, and that is final. After the last two, this transaction can never
 * have an effect.
 */
export type Outcome =
  { readonly state: "mined" | "reverted"; readonly blockNumber: number } | { readonly state: "displaced" };

export type OwnWallet = {
  /** Simulates the call on the current chain. A plan needs only a nonce to be signed. */
  readonly plan: (call: ContractCall) => Promise<Plan | Refusal>;
  /** Idempotent. Also returns if the nonce is used up: `outcomeOf` says by which transaction. */
  readonly send: (bytes: Hex) => Promise<void>;
  /** Undefined while the outcome is open. */
  readonly outcomeOf: (kept: Kept) => Promise<Outcome | undefined>;
  /** Polls for the outcome for some seconds. Undefined if it is still open. */
  readonly waitForOutcome: (kept: Kept) => Promise<Outcome | undefined>;
  /** Where it is on the current chain. mined: in a block, successful; a reorg can remove it again. */
  readonly finalityOf: (kept: Pick<Kept, "hash">) => Promise<"final" | "mined" | "missing">;
  /** The number of the signer's transactions in blocks. */
  readonly countOf: (signer: Hex) => Promise<number>;
  /** Lets the adapter of a contract query the chain. */
  readonly ask: <T>(question: (client: PublicClient) => Promise<T>) => Promise<T>;
};

type Options = {
  readonly chainId: number;
  readonly rpcUrls: NodeUrls;
  /** Read each time, so that a new key takes effect without a restart. */
  readonly signer: () => Promise<OwnSigner>;
  /** How many blocks, including its own, a transaction needs to count as mined. A final one always does. */
  readonly confirmations?: number;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
};
type Chain = { readonly client: PublicClient; readonly confirmations: number };

/** Shorter in all than the engine waits for a step. */
const looks = 25;
const alreadySent = /already known|already imported|already exists|known transaction|nonce too low/i;

export function makeOwnWallet(options: Options): OwnWallet {
  const { chainId, rpcUrls, confirmations = 1, timeoutMs = 5_000, pollMs = 1_000 } = options;
  const client = createPublicClient({
    transport: nodeTransport({ chainId, urls: rpcUrls, timeoutMs }),
    // A contract must not make us fetch a URL it names (EIP-3668).
    ccipRead: false,
    // A cached block number would make a transaction look less deep than it is.
    cacheTime: 0,
  });
  const chain: Chain = { client, confirmations };
  const wallet: OwnWallet = {
    plan: (call) => quietly(() => planCall({ ...options, client }, call)),
    send: (bytes) => quietly(() => send(chain, bytes)),
    outcomeOf: (kept) => quietly(() => outcomeOf(chain, kept)),
    waitForOutcome: async (kept) => {
      for (let look = 1; look <= looks; look++) {
        const outcome = await wallet.outcomeOf(kept);
        if (outcome !== undefined) return outcome;
        // Short at first: the next block may be about to come.
        await sleep(Math.min(pollMs, (pollMs / 5) * 1.5 ** (look - 1)));
      }
      return undefined;
    },
    finalityOf: (kept) => quietly(() => finalityOf(chain, kept)),
    countOf: (address) => quietly(() => client.getTransactionCount({ address, blockTag: "latest" })),
    ask: (question) => quietly(() => question(client)),
  };
  return wallet;
}

async function send({ client }: Chain, bytes: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: bytes });
  } catch (error) {
    // Matched in full, because viem rewords the nodes' messages.
    if (!(error instanceof BaseError) || !alreadySent.test(`${error.details} ${error.message}`)) throw error;
  }
}

/** Whether a final block has a transaction with this nonce. */
const isNonceFinal = async ({ client }: Chain, { signer, nonce }: Kept): Promise<boolean> =>
  (await client.getTransactionCount({ address: signer, blockTag: "finalized" })) > nonce;

async function outcomeOf(chain: Chain, kept: Kept): Promise<Outcome | undefined> {
  const receipt = await readReceipt(chain, kept.hash);
  if (receipt !== undefined) return readOutcome(chain, receipt);
  if (!(await isNonceFinal(chain, kept))) return undefined;
  // Checked once more: it may have been included between the two requests.
  const late = await readReceipt(chain, kept.hash);
  if (late !== undefined) return readOutcome(chain, late);
  // With several nodes the last question may have been answered by another node than the one before, which lags.
  return (await isNonceFinal(chain, kept)) ? { state: "displaced" } : undefined;
}

/** Interprets a receipt once it is deep enough. A failure counts only when no reorg can change it. */
async function readOutcome(
  { client, confirmations }: Chain,
  { status, blockNumber }: TransactionReceipt,
): Promise<Outcome | undefined> {
  const isMined = status === "success";
  const outcome: Outcome = { state: isMined ? "mined" : "reverted", blockNumber: Number(blockNumber) };
  if (isMined && confirmations <= 1) return outcome;
  const [latest, { number: final }] = await Promise.all([
    client.getBlockNumber(),
    client.getBlock({ blockTag: "finalized" }),
  ]);
  const isDeep = isMined && latest - blockNumber + 1n >= BigInt(confirmations);
  return isDeep || blockNumber <= final ? outcome : undefined;
}

async function finalityOf(
  { client }: Chain,
  { hash }: Pick<Kept, "hash">,
): Promise<"final" | "mined" | "missing"> {
  const receipt = await readReceipt({ client }, hash);
  if (receipt?.status !== "success") return "missing";
  const { number: final } = await client.getBlock({ blockTag: "finalized" });
  return receipt.blockNumber <= final ? "final" : "mined";
}

async function readReceipt(
  { client }: Pick<Chain, "client">,
  hash: Hex,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
