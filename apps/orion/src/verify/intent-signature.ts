import { intentTypedData } from "@countersign/wire";
import type { Content } from "@countersign/wire/envelope";
import { recoverTypedDataAddress } from "viem/utils";

const plainSignature = /^0x[0-9a-f]{128}(00|01|1b|1c)$/;
/** EIP-2: of the two equivalent signatures, the one with the greater s is rejected. */
const greatestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether the account's own key signed this intent. False proves nothing against it: a contract wallet signs
 * differently, and is checked by the main service.
 */
export async function isSignedByAccount(content: Content, nowSeconds: number): Promise<boolean> {
  const { intentSignature, escrow: account, chainId, userPrompt: text } = content;
  if (intentSignature === undefined || intentSignature.expiresAt <= nowSeconds) return false;
  const { signature, nonce, expiresAt } = intentSignature;
  if (!plainSignature.test(signature) || BigInt(`0x${signature.slice(66, 130)}`) > greatestS) return false;
  try {
    const typedData = intentTypedData({ account, text, chainId, nonce, expiresAt });
    return (await recoverTypedDataAddress({ ...typedData, signature })).toLowerCase() === account;
  } catch {
    // r or s is out of range: no key made this signature.
    return false;
  }
}
