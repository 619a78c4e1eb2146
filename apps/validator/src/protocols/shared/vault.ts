/** The standard functions of ERC-4626 vaults. */
import { exactly, token, unknownAmount, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type ProtocolFunction } from "../../protocol.ts";
import { feeds } from "../../uses.ts";

/** chain → vault → its asset. */
export type Vaults = Readonly<Record<number, Readonly<Record<Address, Address>>>>;

export const vaultContracts = (vaults: Vaults): Readonly<Record<number, readonly Address[]>> =>
  Object.fromEntries(
    Object.entries(vaults).map(([chain, assets]) => [chain, Object.keys(assets) as Address[]]),
  );

type On = ProtocolFunction["on"];
type AssetOf = (call: CallView) => Asset;

const entries = (on: On, assetOf: AssetOf): readonly ProtocolFunction[] => [
  fn(
    "function deposit(uint256 assets, address receiver)",
    on,
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
    on,
    { shares: feeds.amount, receiver: feeds.receiver },
    ([shares, receiver], call) => ({
      act: "supply",
      gives: [{ asset: assetOf(call), amount: unknownAmount, at: "shares" }],
      gets: [{ asset: token(call.to), amount: exactly(shares), at: "shares" }],
      receiver,
      terms: { exactOut: true },
      places: { receiver: "receiver", amount: "shares" },
    }),
  ),
];

const exits = (on: On, assetOf: AssetOf): readonly ProtocolFunction[] => [
  fn(
    "function withdraw(uint256 assets, address receiver, address owner)",
    on,
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
    on,
    { shares: feeds.amount, receiver: feeds.receiver, owner: feeds.payer },
    ([shares, receiver, owner], call) => ({
      act: "withdraw",
      gives: [{ asset: token(call.to), amount: exactly(shares), at: "shares" }],
      gets: [{ asset: assetOf(call), amount: unknownAmount, at: "shares" }],
      payer: owner,
      receiver,
      places: { receiver: "receiver", amount: "shares", payer: "owner" },
    }),
  ),
];

/** The functions of vaults in these roles. The calldata contains only the vault's address, so `assetOf` names the asset. */
export const erc4626Functions = (on: On, assetOf: AssetOf): readonly ProtocolFunction[] => [
  ...entries(on, assetOf),
  ...exits(on, assetOf),
];

/** The functions of the vaults in a table. Reading a call throws if the vault's asset is not known. */
export const vaultFunctions = (vaults: Vaults): readonly ProtocolFunction[] =>
  erc4626Functions(["vault"], (call) => {
    const asset = vaults[call.chain]?.[call.to];
    if (asset === undefined) throw new Error("the asset of this vault is not known");
    return token(asset);
  });
