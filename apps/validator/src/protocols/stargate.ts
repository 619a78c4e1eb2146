/** Stargate, second version: one pool for each token of each chain. */
import { native, token, unsaid, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView } from "../protocol.ts";
import { rescale } from "./shared/amounts.ts";
import { bridgeVerbs, least } from "./shared/bridging.ts";
import { sendByLayerZero, sendParam, sendUses, travels, type Carrier } from "./shared/layerzero.ts";

/** chain → pool → the token it holds. */
const pools: Readonly<Record<number, Readonly<Record<Address, Address | "coin">>>> = {
  1: {
    "0xcdafb1b2db43f366e48e6f614b8dccbfeefeecd3": "0x9e32b13ce7f2e80a01932b42553652e053d6ed8e", // METIS
    "0x77b2043768d28e9c9ab44e1abfc95944bce57931": "coin", // Native
    "0xc026395860db2d07ee33e05fe50ed7bd583189c7": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // USDC
    "0x933597a323eb81cae705c5bc29985172fd5a3973": "0xdac17f958d2ee523a2206206994597c13d831ec7", // USDT
    "0x268ca24daeff1fac2ed883c598200ccbb79e931d": "0xd5f7838f5c461feff7fe49ea5ebaf7728bb0adfa", // mETH
  },
  10: {
    "0xe8cdf27acd73a434d661c84887215f7598e7d0d3": "coin", // Native
    "0xce8cca271ebc0533920c83d39f417ed6a0abb7d0": "0x0b2c639c533813f4aa9d7837caf62653d097ff85", // USDC
    "0x19cfce47ed54a88614648dc3f19a5980097007dd": "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58", // USDT
  },
  56: {
    "0x962bd449e630b0d928f308ce63f1a21f02576057": "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d", // USDC
    "0x138eb30f73bc423c6455c53df6d89cb01d9ebc63": "0x55d398326f99059ff775485246999027b3197955", // USDT
  },
  137: {
    "0x9aa02d4fae7f58b8e8f34c66e756cc734dac7fe4": "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", // USDC
    "0xd47b03ee6d86cf251ee7860fb2acf9f91b9fd4d7": "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // USDT
  },
  8453: {
    "0xdc181bd607330aeebef6ea62e03e5e1fb4b6f7c7": "coin", // Native
    "0x27a16dc786820b16e5c9028b75b99f6f604b5d26": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // USDC
  },
  42161: {
    "0xa45b5130f36cdca45667738e2a258ab09f4a5f7f": "coin", // Native
    "0xe8cdf27acd73a434d661c84887215f7598e7d0d3": "0xaf88d065e77c8cc2239327c5edb3a432268e5831", // USDC
    "0xce8cca271ebc0533920c83d39f417ed6a0abb7d0": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", // USDT
  },
  43114: {
    "0x5634c4a5fed09819e3c46d86a965dd9447d86e47": "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", // USDC
    "0x12dc9256acc9895b076f6638d628382881e62cee": "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7", // USDT
  },
};

const heldBy = (call: CallView): Asset => {
  const held = pools[call.chain]?.[call.to];
  if (held === undefined) throw new Error("the pool is not known");
  return held === "coin" ? native : token(held);
};

/** The pool of the same token on another chain pays out, in that token's own decimals. */
const paysOut = (asset: Asset, amount: bigint, chain: number, call: CallView) => {
  if (asset.kind === "native") return { asset: native, amount: least(amount) };
  const here = asset.kind === "token" ? call.registry.token(call.chain, asset.address) : null;
  const [there, ...others] = Object.values(pools[chain] ?? {}).flatMap((held) => {
    const found = held === "coin" ? null : call.registry.token(chain, held);
    return found !== null && found.symbol === here?.symbol ? [found] : [];
  });
  return here === null || there === undefined || others.length > 0
    ? { asset: unsaid("the same token on the other chain"), amount: least(amount) }
    : { asset: token(there.address), amount: least(rescale(amount, here.decimals, there.decimals)) };
};

const carrier = (call: CallView): Carrier => {
  const asset = heldBy(call);
  return { asset, commands: travels, paysOut: (amount, chain) => paysOut(asset, amount, chain, call) };
};

export default defineProtocol({
  title: "Stargate",
  names: ["stargate", "stargate finance", "stargate v2"],
  verbs: bridgeVerbs,
  contracts: {
    pool: Object.fromEntries(
      Object.entries(pools).map(([chain, held]) => [chain, Object.keys(held) as Address[]]),
    ),
  },
  functions: (["sendToken", "send"] as const).map((name) =>
    fn(`function ${name}(${sendParam}) payable`, ["pool"], sendUses, ([param, fee, refund], call) =>
      sendByLayerZero({ param, fee, refund }, carrier(call), call),
    ),
  ),
});
