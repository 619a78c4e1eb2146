/** Vaults of one asset. The calldata contains only the vault's address: neither its asset nor the value of a share. */
import { token, unsaid, type Asset } from "../effects.ts";
import { defineProtocol, type CallView } from "../protocol.ts";
import { erc4626Functions } from "./shared/vault.ts";

/** Some well-known vaults. The asset of any other stays unknown. */
const underlying: Readonly<Record<string, `0x${string}`>> = {
  "1:0x83f20f44975d03b1b09e64809b757c47f942beea": "0x6b175474e89094c44da98b954eedeac495271d0f",
  "1:0xa3931d71877c0e7a3148cb7eb4463524fec27fbd": "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
  "1:0x9d39a5de30e57443bff2a8307a4256c8797a3497": "0x4c9edd5852cd905f086c759e8383e09bff1e68b3",
};

const assetOf = (call: CallView): Asset => {
  const known = underlying[`${call.chain}:${call.to}`];
  return known === undefined ? unsaid("the asset of this vault") : token(known);
};

export default defineProtocol({
  title: "ERC-4626 vaults",
  names: [],
  verbs: { stake: ["supply"], unstake: ["withdraw"] },
  contracts: {},
  functions: erc4626Functions("anywhere", assetOf),
});
