// The action signAuthorization of a guarded viem wallet. No JSON-RPC method signs authorizations, so it does not go through `request`.
import { parseSignature, type SignAuthorizationParameters, type SignAuthorizationReturnType } from "viem";
import { prepareAuthorization } from "viem/actions";
import type { GuardOptions } from "../guard/guard-options.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import { readAuthorization, signAuthorizationApproved } from "../guard/sign-authorization.ts";
import { bareWalletOf } from "./bare-wallet.ts";
import type { AnyWallet } from "./send-exactly.ts";
import { accountOf } from "./signer.ts";

/** Undefined if no account is given, as for a wallet that has one. */
const signerOf = ({
  account,
}: {
  readonly account?: string | { readonly address: string };
}): string | undefined => (typeof account === "object" ? account.address : account);

/** Returns the action, which proposes each authorization with the user's request. */
export const guardAuthorizations =
  (wallet: AnyWallet, options: GuardOptions) =>
  async (parameters: SignAuthorizationParameters): Promise<SignAuthorizationReturnType> => {
    const { address: own } = accountOf(wallet);
    const signer = signerOf(parameters) ?? own;
    if (signer.toLowerCase() !== own.toLowerCase())
      throw new NotApprovedError("Not signed: its signer is another wallet");
    const prepared = await prepareAuthorization(wallet, { ...parameters, account: own });
    const { address: delegate, chainId: chain, nonce: next } = prepared;
    const authorizationList = readAuthorization({ chainId: chain, address: delegate, nonce: next });
    const signature = await signAuthorizationApproved(bareWalletOf(wallet), authorizationList, options);
    const [{ address, chainId, nonce }] = authorizationList;
    return { address, chainId, nonce: Number(nonce), ...parseSignature(signature) };
  };
