// A Safe of protocol-kit whose owner confirms and executes only approved transactions.
import type { TypedData } from "@countersign/wire";
import { bytesToHex, hexToBytes } from "viem/utils";
import { explainToApps } from "../eip1193/error-codes.ts";
import { CountersignError } from "../errors.ts";
import type { BareWallet } from "../guard/bare-wallet.ts";
import { defaultMaxFee } from "../guard/check-fee.ts";
import { guardReads, type Request } from "../guard/guard-requests.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import { readSend, type Send } from "../guard/read-send.ts";
import { readTypedData } from "../guard/read-typed-data.ts";
import { sendApproved } from "../guard/send-approved.ts";
import { signApproved } from "../guard/sign-approved.ts";
import type { Hex } from "../types.ts";
import { bareWalletOf } from "../viem/bare-wallet.ts";
import type { AnyWallet } from "../viem/send-exactly.ts";
import { checkNonce, readNonce } from "./nonce.ts";
import { isConfirmedBy, readOwnerCall } from "./read-call.ts";
import type { SafeOptions, SafeTx } from "./safe-options.ts";
import { hashSafeTx, readSafeTx, writeSafeTx, type SafeAt } from "./safe-tx.ts";

/** The members of protocol-kit's `Safe` that the guard uses. */
export type ProtocolKit = {
  /** The Safe's address. */
  readonly getAddress: () => Promise<string>;
  /** Whether the Safe's contract is on the chain. */
  readonly isSafeDeployed: () => Promise<boolean>;
  /** The kit's access to the chain and to its owner's wallet. */
  readonly getSafeProvider: () => {
    /** The owner's wallet, as a viem wallet client. */
    readonly getExternalSigner: () => Promise<unknown>;
    /** Whether the owner signs with a passkey. */
    readonly isPasskeySigner: () => Promise<boolean>;
  };
  /** Returns a kit of the same class with another provider and signer. */
  readonly connect: (config: never) => Promise<unknown>;
};

/**
 * Returns a Safe of the same kit whose owner signs only approved transactions of this Safe: each is proposed with the user's
 * request, and exactly the approved `safeTxHash` is confirmed, once. It executes what it has confirmed, and proposes
 * executions of other transactions. It signs no hashes and no messages. Use `findNotApproved` to detect its refusals.
 *
 * @example
 * const safe = await guardSafe(await Safe.init({ provider, signer, safeAddress }), { countersign, words: "Send 0.1 ETH from Safe 0x5afe…5afe to 0x742d…f44e" });
 * const signed = await safe.signTransaction(await safe.createTransaction({ transactions: [{ to, value, data: "0x" }] }));
 * @throws CountersignError for a kit without a signer or with a passkey, and for a Safe that is not deployed.
 */
export async function guardSafe<K extends ProtocolKit>(
  protocolKit: K,
  options: SafeOptions,
): Promise<Awaited<ReturnType<K["connect"]>>> {
  const wallet = await walletOf(protocolKit);
  const safe = (await protocolKit.getAddress()) as Hex;
  if (!(await protocolKit.isSafeDeployed()))
    throw new CountersignError(`Safe ${safe} is not deployed: deploy it before you guard it`);
  const request = guardOwner(wallet, safe, options);
  // A kit signs through its provider. This one has no other members, and no key.
  const provider = Object.freeze({
    request: (asked: Parameters<Request>[0]) => explainToApps(asked.method, request(asked)),
  });
  const config = { provider, signer: wallet.address, safeAddress: safe };
  return (await protocolKit.connect(config as never)) as Awaited<ReturnType<K["connect"]>>;
}

async function walletOf(protocolKit: ProtocolKit): Promise<BareWallet> {
  const provider = protocolKit.getSafeProvider();
  if (await provider.isPasskeySigner())
    throw new CountersignError("A passkey cannot be guarded: it signs hashes, not typed data");
  const signer = await provider.getExternalSigner();
  if (signer === undefined) throw new CountersignError("This kit has no signer: pass one to Safe.init");
  return bareWalletOf(signer as AnyWallet);
}

/** Guards the requests of the owner's wallet. */
function guardOwner(wallet: BareWallet, safe: Hex, options: SafeOptions): Request {
  const { address, ask = askNothing } = wallet;
  /** Released signatures by the hash that they confirm. Anyone who has one can use it. */
  const confirmed = new Map<Hex, Hex>();
  const readAt = async (): Promise<SafeAt> => ({ safe, chainId: await wallet.readChainId() });

  const sign = async (params: unknown): Promise<Hex> => {
    const { typedData } = readTypedData(params, address);
    const at = await readAt();
    const tx = readSafeTx(typedData, at);
    checkNonce(tx.nonce, await readNonce(ask, safe), options);
    const signature = await confirmApproved(wallet, { typedData, tx, at }, options);
    confirmed.set(hashSafeTx(tx, at), signature);
    return signature;
  };

  const send = async (params: unknown): Promise<Hex> => {
    const asked = readSend(params, address);
    const call = readOwnerCall(asked.call, safe);
    if (call === undefined)
      throw new NotApprovedError(
        `Not sent: it neither executes nor confirms a transaction of Safe ${safe}. Use a guarded wallet for others`,
      );
    if (call.kind === "approval") {
      if (!confirmed.has(call.hash))
        throw new NotApprovedError(
          "Not sent: a hash does not say what it confirms. Confirm the transaction with signTransaction first",
        );
      return sendConfirmed(wallet, asked, options);
    }
    const tx: SafeTx = { ...call.tx, nonce: await readNonce(ask, safe) };
    const signature = confirmed.get(hashSafeTx(tx, await readAt()));
    return signature !== undefined && isConfirmedBy(call.signatures, normalise(signature), address)
      ? sendConfirmed(wallet, asked, options)
      : sendApproved(wallet, asked, { ...options, words: await readWords(tx, options) });
  };

  const others = guardReads({
    accounts: async () => [address],
    read: ({ method, params }) => ask(method, (params ?? []) as readonly unknown[]),
  });
  return async (asked) => {
    const { method, params } = asked;
    if (method === "eth_signTypedData_v4") return sign(params);
    if (method === "eth_sendTransaction") return send(params);
    return others(asked);
  };
}

type Confirmation = { readonly typedData: TypedData; readonly tx: SafeTx; readonly at: SafeAt };

/** Proposes the Safe's transaction, and signs exactly it once it is approved. */
const confirmApproved = async (
  wallet: BareWallet,
  { typedData, tx, at }: Confirmation,
  options: SafeOptions,
): Promise<Hex> =>
  signApproved(
    wallet,
    {
      payload: { shape: "safeTransaction", safeTransaction: writeSafeTx(tx, at) },
      words: await readWords(tx, options),
      sign: () => wallet.signTypedData(typedData),
    },
    options,
  );

/** Its signature is released, so that anyone can do it. The fee is the wallet's. */
async function sendConfirmed(
  wallet: BareWallet,
  { call, fees, chainId }: Send,
  { maxFee = defaultMaxFee, signal }: SafeOptions,
): Promise<Hex> {
  const found = await wallet.readChainId();
  if ((chainId ?? found) !== found) throw new NotApprovedError(`Not sent: the wallet is on chain ${found}`);
  signal?.throwIfAborted();
  return wallet.send({ call, fees, chainId: found, maxFee });
}

const readWords = async (tx: SafeTx, { words }: SafeOptions): Promise<string> =>
  typeof words === "string" ? words : words(tx);

/** Writes the last byte as a Safe reads it: wallets return 0 or 1, or 27 or 28. */
function normalise(signature: Hex): Hex {
  const bytes = hexToBytes(signature);
  const last = bytes.length - 1;
  const v = bytes[last] ?? 0;
  return bytesToHex(bytes.with(last, v < 27 ? v + 27 : v));
}

const askNothing = (): never => {
  throw new CountersignError("the wallet's node cannot be asked");
};
