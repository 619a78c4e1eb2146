// Signs a payload with any wallet: proposes it, waits, checks the approval, signs exactly that, and releases it once.
import { hashPayload, originOf, type Payload, type TypedData } from "@countersign/wire";
import type { Hex, Proposal } from "../types.ts";
import type { BareWallet } from "./bare-wallet.ts";
import type { ApprovalOptions } from "./approval-options.ts";
import type { Asked } from "./check-approval.ts";
import { checkTrust, getApproved } from "./get-approved.ts";
import type { GuardOptions } from "./guard-options.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readChain } from "./read-chain.ts";
import { releaseOnce, signedBy, signExactly, type Verify } from "./sign-exactly.ts";

export type ToSign = {
  readonly payload: Payload;
  /** The user's request for it. */
  readonly words: string;
  /** Has the wallet sign it, once. */
  readonly sign: () => Promise<Hex>;
  /** Throws unless the signature is one of this hash. Default: it is the wallet's own. */
  readonly verify?: Verify;
};

/** Returns the signature. Throws a NotApprovedError if it was not approved; then nothing was signed. */
export async function signApproved(
  wallet: Pick<BareWallet, "address" | "chainId" | "readChainId">,
  { payload, words, sign, verify = signedBy(wallet.address) }: ToSign,
  options: ApprovalOptions,
): Promise<Hex> {
  const { countersign } = options;
  const { shape, ...member } = payload;
  const chainId = await readChain(wallet, originOf(payload).chainId, "Not signed");
  const signingHash = hashPayload(payload);
  const asked: Asked = { shape, signingHash, chainId, escrow: wallet.address, words };
  const proposal = { ...member, chainId, escrowAddress: asked.escrow, userPrompt: words } as Proposal;
  const approved = await getApproved(asked, proposal, options);
  await checkTrust(approved, asked, options);
  const signature = await signExactly({ signingHash, sign, verify });
  return releaseOnce(countersign, { requestHash: approved.decided.requestHash, signingHash, signature });
}

/** Signs typed data with the request that the options have for it. */
export const signTypedDataApproved = async (
  wallet: BareWallet,
  typedData: TypedData,
  options: GuardOptions,
): Promise<Hex> =>
  signApproved(
    wallet,
    {
      payload: { shape: "typedData", typedData },
      words: await readWordsToSign(typedData, options),
      sign: () => wallet.signTypedData(typedData),
    },
    options,
  );

/** Signs a text with the request that the options have for it. */
export async function signMessageApproved(
  wallet: BareWallet,
  message: string,
  options: GuardOptions,
): Promise<Hex> {
  const { signMessage } = wallet;
  if (signMessage === undefined) throw new NotApprovedError("Not signed: this wallet signs no messages");
  return signApproved(
    wallet,
    {
      payload: { shape: "message", message },
      words: await readWordsForMessage(message, options),
      sign: () => signMessage(message),
    },
    options,
  );
}

async function readWordsForMessage(
  message: string,
  { words, wordsForMessage }: GuardOptions,
): Promise<string> {
  if (wordsForMessage !== undefined) return wordsForMessage(message);
  if (typeof words === "string") return words;
  throw new NotApprovedError("Not signed: the guard needs wordsForMessage, the user's request for a message");
}

async function readWordsToSign(typedData: TypedData, { words, wordsToSign }: GuardOptions): Promise<string> {
  if (wordsToSign !== undefined) return wordsToSign(typedData);
  if (typeof words === "string") return words;
  throw new NotApprovedError("Not signed: the guard needs wordsToSign, the user's request for data to sign");
}
