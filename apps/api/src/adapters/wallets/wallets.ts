import type { Log } from "@countersign/platform/log";
import type { NodeUrls } from "@countersign/platform/rpc";
import {
  BaseError,
  hashTypedData,
  hexToBytes,
  isErc6492Signature,
  type Hex,
  type PublicClient,
  type TypedDataDefinition,
} from "viem";
import { askContract, makeChainClient, type Question } from "./ask-contract.ts";
import { isNative } from "./recover-key.ts";
import { hashText, recoverHashSigner } from "./recover-signer.ts";

type Signed = {
  /** In any letter case. */
  readonly address: string;
  readonly signature: string;
  /** The chain on which a contract wallet is looked up. */
  readonly chainId: number;
};

export type SignedText = Signed & { readonly text: string };
export type SignedTypedData = Signed & { readonly typedData: TypedDataDefinition };

/** "unavailable": the chain could not be reached. Callers must not treat it as valid. */
export type SignatureState = "valid" | "invalid" | "unavailable";

export type Wallets = {
  /** Checks whether the owner of this address signed exactly this text. Throws only what `beforeAsking` throws. */
  readonly verifyText: (
    signed: SignedText,
    /** Called before a chain is queried, which is expensive. If it throws, the chain is not queried. */
    beforeAsking?: () => Promise<unknown>,
  ) => Promise<SignatureState>;
  /** The same for typed data (EIP-712). Also throws for typed data without a digest, which is the caller's mistake. */
  readonly verifyTypedData: (
    signed: SignedTypedData,
    beforeAsking?: () => Promise<unknown>,
  ) => Promise<SignatureState>;
};

type Chain = { readonly id: number; readonly client: PublicClient };

const plainAddress = /^0x[0-9a-fA-F]{40}$/;
const wholeBytes = /^0x(?:[0-9a-fA-F]{2})*$/;

const maxSignatureBytes = 2 * 1024;
/** Includes the call that deploys the wallet. */
const maxWrappedSignatureBytes = 8 * 1024;

export function makeWallets(options: {
  /** By chain id. Contract wallets of other chains are not supported. */
  readonly rpcUrls: Readonly<Record<number, NodeUrls>>;
  /** For all requests to the chain about one signature together. */
  readonly timeoutMs?: number;
  readonly log: Log;
}): Wallets {
  const { rpcUrls, timeoutMs = 3000, log } = options;
  const chains = new Map(
    Object.entries(rpcUrls).map(([id, urls]): [number, Chain] => [
      Number(id),
      { id: Number(id), client: makeChainClient({ chainId: Number(id), urls, timeoutMs }) },
    ]),
  );
  const isRightChain = makeChainCheck();
  if (!isNative)
    log.info("no native secp256k1 for this platform, using noble", {
      reason: `${process.platform}-${process.arch}`,
    });

  async function ask(chain: Chain, question: Question): Promise<SignatureState> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      if (!(await isRightChain(chain, signal))) {
        log.error(`The RPC configured for chain ${chain.id} serves another chain.`);
        return "unavailable";
      }
      return (await askContract(chain.client, question, signal)) ? "valid" : "invalid";
    } catch (error) {
      log.warn(`Chain ${chain.id} did not answer about a wallet.`, { reason: reasonOf(error) });
      return "unavailable";
    }
  }

  async function verify(
    { address, signature, chainId }: Signed,
    hash: Uint8Array | undefined,
    beforeAsking: (() => Promise<unknown>) | undefined,
  ): Promise<SignatureState> {
    const wallet = lowerCase(address);
    if (wallet === undefined || hash === undefined) return "invalid";
    if (recoverHashSigner(hash, signature) === wallet) return "valid";
    const chain = chains.get(chainId);
    if (chain === undefined || !mayBeOfContract(signature)) return "invalid";
    await beforeAsking?.();
    return ask(chain, { address: wallet, hash, signature });
  }

  return {
    verifyText: (signed, beforeAsking) => verify(signed, hashText(signed.text), beforeAsking),
    verifyTypedData: async (signed, beforeAsking) =>
      verify(signed, hexToBytes(hashTypedData(signed.typedData)), beforeAsking),
  };
}

/** Checks each RPC's chain id once. Only a correct answer is cached, so that a repaired RPC needs no restart. */
function makeChainCheck(): (chain: Chain, signal: AbortSignal) => Promise<boolean> {
  const confirmed = new Set<number>();
  return async ({ id, client }, signal) => {
    if (confirmed.has(id)) return true;
    const served = Number(await client.request({ method: "eth_chainId" }, { signal }));
    if (served === id) confirmed.add(id);
    return served === id;
  };
}

/** May be empty: a wallet can store on the chain what its owners have signed. */
function mayBeOfContract(signature: string): signature is Hex {
  // The length first, so that no pattern runs on a text of arbitrary size.
  if (typeof signature !== "string" || signature.length > 2 + 2 * maxWrappedSignatureBytes) return false;
  if (!wholeBytes.test(signature)) return false;
  return signature.length <= 2 + 2 * maxSignatureBytes || isErc6492Signature(signature as Hex);
}

function lowerCase(address: string): Hex | undefined {
  if (typeof address !== "string" || !plainAddress.test(address)) return undefined;
  return `0x${address.slice(2).toLowerCase()}`;
}

/** Not the whole message: viem puts the RPC's URL into it, which may contain an access key. */
const reasonOf = (error: unknown): string =>
  error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.name : "unknown";
