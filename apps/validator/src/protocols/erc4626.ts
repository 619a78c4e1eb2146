/** Vaults of one asset. The calldata contains only the vault's address: neither its asset nor the value of a share. */
import { exactly, token, unknownAmount, unsaid, type Asset } from "../effects.ts";
import { defineProtocol, fn, type CallView } from "../protocol.ts";
import { feeds } from "../uses.ts";

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

const shares = (call: CallView): Asset => token(call.to);

export default defineProtocol({
  title: "ERC-4626 vaults",
  names: [],
  verbs: { stake: ["supply"], unstake: ["withdraw"] },
  contracts: {},
  functions: [
    fn(
      "function deposit(uint256 assets, address receiver)",
      "anywhere",
      { assets: feeds.amount, receiver: feeds.receiver },
      ([assets, receiver], call) => ({
        act: "supply",
        gives: [{ asset: assetOf(call), amount: exactly(assets), at: "assets" }],
        receiver,
        places: { receiver: "receiver", amount: "assets" },
      }),
    ),
    fn(
      "function mint(uint256 shares, address receiver)",
      "anywhere",
      { shares: feeds.amount, receiver: feeds.receiver },
      ([amount, receiver], call) => ({
        act: "supply",
        gives: [{ asset: assetOf(call), amount: unknownAmount, at: "shares" }],
        gets: [{ asset: shares(call), amount: exactly(amount), at: "shares" }],
        receiver,
        terms: { exactOut: true },
        places: { receiver: "receiver", amount: "shares" },
      }),
    ),
    fn(
      "function withdraw(uint256 assets, address receiver, address owner)",
      "anywhere",
      { assets: feeds.amount, receiver: feeds.receiver, owner: feeds.payer },
      ([assets, receiver, owner], call) => ({
        act: "withdraw",
        gets: [{ asset: assetOf(call), amount: exactly(assets), at: "assets" }],
        payer: owner,
        receiver,
        places: { receiver: "receiver", amount: "assets", payer: "owner" },
      }),
    ),
    fn(
      "function redeem(uint256 shares, address receiver, address owner)",
      "anywhere",
      { shares: feeds.amount, receiver: feeds.receiver, owner: feeds.payer },
      ([amount, receiver, owner], call) => ({
        act: "withdraw",
        gives: [{ asset: shares(call), amount: exactly(amount), at: "shares" }],
        gets: [{ asset: assetOf(call), amount: unknownAmount, at: "shares" }],
        payer: owner,
        receiver,
        places: { receiver: "receiver", amount: "shares", payer: "owner" },
      }),
    ),
  ],
});
