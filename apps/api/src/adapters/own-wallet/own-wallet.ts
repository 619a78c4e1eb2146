// A wallet of the service itself on the home chain. Everything here may be asked again: nothing keeps state but the chain.
import { setTimeout as sleep } from "node:timers/promises";
import {
  BaseError,
  createPublicClient,
  http,
  TransactionReceiptNotFoundError,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import { planCall, type ContractCall, type Plan, type Refusal } from "./plan-call.ts";
import { quietly } from "./quietly.ts";

/** A transaction that was signed and kept. */
type Kept = { readonly signer: Hex; readonly nonce: number; readonly hash: Hex };

/**
 * mined: successful, and as deep as asked for. reverted: in a final block, without effect. displaced: another transaction
 * of the signer used up the nonce, and that is final. After the last two, this transaction can never have an effect.
 */
export type Outcome =
  { readonly state: "mined" | "reverted"; readonly blockNumber: number } | { readonly state: "displaced" };

export type OwnWallet = {
  /** Tries the call on the chain as it is now; a plan needs only a nonce to be signed. */
  readonly plan: (call: ContractCall) => Promise<Plan | Refusal>;
  /** Sent twice is sent once. Returns also if the nonce is used up: by what, `outcomeOf` says. */
  readonly send: (bytes: Hex) => Promise<void>;
  /** Undefined while nobody can know. */
  readonly outcomeOf: (kept: Kept) => Promise<Outcome | undefined>;
  /** Asks for the outcome for some seconds; undefined if there is still none. */
  readonly waitForOutcome: (kept: Kept) => Promise<Outcome | undefined>;
  /** Is it in a block, successful, on the chain as it is now? A reorganisation can take it out again. */
  readonly isStillMined: (kept: Pick<Kept, "hash">) => Promise<boolean>;
  /** How many transactions of the signer are in blocks. */
  readonly countOf: (signer: Hex) => Promise<number>;
  /** A question to the chain, by the adapter of a contract. */
  readonly ask: <T>(question: (client: PublicClient) => Promise<T>) => Promise<T>;
};

type Options = {
  readonly chainId: number;
  readonly rpcUrl: string;
  /** Asked for each time, so that another key counts without a restart. */
  readonly key: () => Promise<Hex>;
  /** How many blocks, its own included, a transaction needs to count as mined; a final one always does. */
  readonly confirmations?: number;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
};
type Chain = { readonly client: PublicClient; readonly confirmations: number };

const looks = 15;
const alreadySent = /already known|already imported|already exists|known transaction|nonce too low/i;

export function makeOwnWallet(options: Options): OwnWallet {
  const { rpcUrl, confirmations = 1, timeoutMs = 5_000, pollMs = 1_000 } = options;
  const client = createPublicClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: timeoutMs }),
    // A contract must not make us fetch what it names (EIP-3668).
    ccipRead: false,
    // A remembered block number would make a transaction look less deep than it is.
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
        await sleep(pollMs);
      }
      return undefined;
    },
    isStillMined: ({ hash }) => quietly(async () => (await readReceipt(chain, hash))?.status === "success"),
    countOf: (address) => quietly(() => client.getTransactionCount({ address, blockTag: "latest" })),
    ask: (question) => quietly(() => question(client)),
  };
  return wallet;
}

async function send({ client }: Chain, bytes: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: bytes });
  } catch (error) {
    // In full, because viem has words of its own for what nodes say.
    if (!(error instanceof BaseError) || !alreadySent.test(`${error.details} ${error.message}`)) throw error;
  }
}

async function outcomeOf(chain: Chain, kept: Kept): Promise<Outcome | undefined> {
  const receipt = await readReceipt(chain, kept.hash);
  if (receipt !== undefined) return judge(chain, receipt);
  const settled = await chain.client.getTransactionCount({ address: kept.signer, blockTag: "finalized" });
  if (settled <= kept.nonce) return undefined;
  // Once more: it may have come into a block between the two questions.
  const late = await readReceipt(chain, kept.hash);
  return late === undefined ? { state: "displaced" } : judge(chain, late);
}

/** What a receipt means, if it is deep enough to mean anything. A failure counts only when no other order of blocks can mend it. */
async function judge(
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

async function readReceipt({ client }: Chain, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
