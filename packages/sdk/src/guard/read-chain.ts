import type { BareWallet } from "./bare-wallet.ts";
import { NotApprovedError } from "./not-approved.ts";

/** Returns the wallet's chain. All specified chains must agree. */
export async function readChain(
  wallet: Pick<BareWallet, "chainId" | "readChainId">,
  chainId: number | undefined,
  refusal: "Not sent" | "Not signed",
): Promise<number> {
  const found = await wallet.readChainId();
  if ((wallet.chainId ?? found) !== found || (chainId ?? found) !== found)
    throw new NotApprovedError(`${refusal}: the wallet is on chain ${found}`);
  return found;
}
