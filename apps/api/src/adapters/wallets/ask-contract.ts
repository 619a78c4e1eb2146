// Asks a contract wallet whether a signature is its own: ERC-1271, and ERC-6492 for one that is not deployed yet.
//
// viem's own verifyMessage is not used: it returns "false" when the chain cannot be reached, and "true" for the
// high-s twin of a plain wallet's signature. Nor is its call, which fetches any URL that a wallet names (EIP-3668).
import {
  BaseError,
  bytesToHex,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  isHex,
  parseAbi,
  numberToHex,
  parseErc6492Signature,
  RpcRequestError,
  type Hex,
  type PublicClient,
} from "viem";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";

export type Question = { readonly address: Hex; readonly hash: Uint8Array; readonly signature: Hex };

/** Enough to check a passkey in Solidity after deploying the wallet; not enough to keep a node busy. */
const gas = numberToHex(5_000_000);

const maxAnswerBytes = 256 * 1024;

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);

/** ERC-1271's magic value, as the whole word it is returned in. */
const yes = `0x1626ba7e${"0".repeat(56)}`;

/** The nodes' messages for a revert, in addition to geth's code 3. Any other failure counts as the node's. */
const codeFailed =
  /revert|out ?of ?gas|gas required exceeds|invalid ?(opcode|jump|FE)|opcode ?not ?found|stack ?(under|over)flow/i;

type ChainOptions = { readonly chainId: number; readonly urls: NodeUrls; readonly timeoutMs: number };

export function makeChainClient(options: ChainOptions): PublicClient {
  return createPublicClient({ transport: nodeTransport({ ...options, maxAnswerBytes }) });
}

/** Returns true if the wallet confirms the signature. Throws if the chain did not answer. */
export async function askContract(
  client: PublicClient,
  { address, hash, signature }: Question,
  signal: AbortSignal,
): Promise<boolean> {
  const wrapped = isErc6492Signature(signature);
  const own = wrapped ? unwrap(signature) : signature;
  if (own === undefined) return false;

  const answer = await callOf(client, signal, { to: address, data: encodeQuestion(hash, own) });
  if (answer !== "0x" || !wrapped) return answer?.startsWith(yes) ?? false;

  // Only for a wallet that is not deployed: the sender of the signature chooses the call that precedes the check, so
  // it must not run on wallets that have state.
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, bytesToHex(hash), signature],
  });
  // One byte.
  return (await callOf(client, signal, { data })) === "0x01";
}

const encodeQuestion = (hash: Uint8Array, signature: Hex): Hex =>
  encodeFunctionData({
    abi: erc1271,
    functionName: "isValidSignature",
    args: [bytesToHex(hash), signature],
  });

function unwrap(signature: Hex): Hex | undefined {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    // It ends in the marker of ERC-6492, but is malformed.
    return undefined;
  }
}

/** Returns the call's result: "0x" where there is no code, undefined if it reverted. */
async function callOf(
  client: PublicClient,
  signal: AbortSignal,
  request: { readonly to?: Hex; readonly data: Hex },
): Promise<Hex | undefined> {
  try {
    const params = [{ ...request, gas }, "latest"] as const;
    const answer: unknown = await client.request({ method: "eth_call", params: [...params] }, { signal });
    if (isHex(answer)) return answer;
  } catch (error) {
    if (isFailureOfCode(error)) return undefined;
    throw error;
  }
  throw new Error("The answer to eth_call is not hex.");
}

function isFailureOfCode(error: unknown): boolean {
  const cause = error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : undefined;
  return cause instanceof RpcRequestError && (cause.code === 3 || codeFailed.test(cause.details));
}
