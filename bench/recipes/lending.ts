// Lending and vaults: deposits in return for a position.
import { MaxUint256 } from "ethers";
import { must } from "../must.ts";
import type { Call, Gen, Params, Recipe } from "../types.ts";
import { AAVE_POOL, C_ETHER, C_TOKENS, COMET_USDC, VAULTS } from "../data/protocols.ts";
import { nativeOf, tokenOf, tokensOf } from "../data/tokens.ts";
import { aave, cEther, cToken, comet, erc20, vault } from "./abi.ts";
import { base, typicalAmount } from "./base.ts";

const AAVE_CHAINS = Object.keys(AAVE_POOL).map(Number);

function approval(p: Params): Call[] {
  if (!p.withApproval) return [];
  return [
    {
      to: must(p.give).address,
      data: erc20.encodeFunctionData("approve", [p.spender, p.allowance]),
      value: 0n,
    },
  ];
}

type Venue = {
  readonly target: string;
  readonly names: readonly string[];
  readonly symbols: readonly string[];
};

function lendingParams(g: Gen, r: Recipe, { target, names, symbols }: Venue): Params {
  const venueName = g.rng.pick(names);
  const p = base(g, r.id, r.protocol, r.action);
  p.give = g.rng.pick(tokensOf(g.chain).filter((t) => symbols.includes(t.symbol)));
  p.amount = typicalAmount(g, p.give);
  p.target = target;
  p.spender = target;
  p.allowance = p.amount;
  p.venueName = venueName;
  p.say.venue = true;
  return p;
}

function aaveRecipe(action: "supply" | "withdraw" | "borrow" | "repay"): Recipe {
  return {
    id: `aave-v3.${action}`,
    protocol: "aave-v3",
    action,
    chains: AAVE_CHAINS,
    wraps: ["none", "none", "safe", "account"],
    make(g) {
      const p = lendingParams(g, this, {
        target: must(AAVE_POOL[g.chain]),
        names: ["Aave", "Aave v3"],
        symbols: ["USDC", "DAI", "WETH"],
      });
      if (action === "supply" || action === "repay") p.withApproval = g.rng.chance(0.35);
      // Aave defines max-uint as "everything" here.
      if (action === "withdraw" && g.rng.chance(0.2)) {
        p.say.style = "all";
        p.amount = MaxUint256;
        p.withApproval = false;
      }
      return p;
    },
    encode(p) {
      const asset = must(p.give).address;
      const args = {
        supply: [asset, p.amount, p.recipient, 0],
        withdraw: [asset, p.amount, p.recipient],
        borrow: [asset, p.amount, 2, 0, p.recipient],
        repay: [asset, p.amount, 2, p.recipient],
      };
      const live = p.action as typeof action;
      return {
        calls: [...approval(p), { to: p.target, data: aave.encodeFunctionData(live, args[live]), value: 0n }],
      };
    },
  };
}

export const aaveSupply = aaveRecipe("supply");
export const aaveWithdraw = aaveRecipe("withdraw");
export const aaveBorrow = aaveRecipe("borrow");
export const aaveRepay = aaveRecipe("repay");

function cometRecipe(action: "supply" | "withdraw"): Recipe {
  return {
    id: `compound-v3.${action}`,
    protocol: "compound-v3",
    action,
    chains: Object.keys(COMET_USDC).map(Number),
    wraps: ["none", "none", "account"],
    make(g) {
      const p = lendingParams(g, this, {
        target: must(COMET_USDC[g.chain]),
        names: ["Compound", "Compound v3"],
        symbols: ["USDC"],
      });
      if (action === "supply") p.withApproval = g.rng.chance(0.35);
      return p;
    },
    encode(p) {
      const self = p.recipient === p.actor;
      const supply = p.action === "supply";
      const data = self
        ? comet.encodeFunctionData(supply ? "supply" : "withdraw", [must(p.give).address, p.amount])
        : comet.encodeFunctionData(supply ? "supplyTo" : "withdrawTo", [
            p.recipient,
            must(p.give).address,
            p.amount,
          ]);
      return { calls: [...approval(p), { to: p.target, data, value: 0n }] };
    },
  };
}

export const cometSupply = cometRecipe("supply");
export const cometWithdraw = cometRecipe("withdraw");

function compoundV2(action: "supply" | "withdraw" | "borrow" | "repay", method: string): Recipe {
  return {
    id: `compound-v2.${action}`,
    protocol: "compound-v2",
    action,
    chains: [1],
    wraps: ["none"],
    make(g) {
      const p = lendingParams(g, this, {
        target: "",
        names: ["Compound", "Compound v2"],
        symbols: ["USDC", "DAI"],
      });
      p.target = must(C_TOKENS[must(p.give).symbol]);
      p.spender = p.target;
      if (action === "supply" || action === "repay") p.withApproval = g.rng.chance(0.35);
      return p;
    },
    encode(p) {
      const methods: Partial<Record<string, string>> = {
        supply: "mint",
        withdraw: "redeemUnderlying",
        borrow: "borrow",
        repay: "repayBorrow",
      };
      const name = methods[p.action] ?? method;
      return {
        calls: [
          ...approval(p),
          { to: p.target, data: cToken.encodeFunctionData(name, [p.amount]), value: 0n },
        ],
      };
    },
  };
}

export const cSupply = compoundV2("supply", "mint");
export const cWithdraw = compoundV2("withdraw", "redeemUnderlying");
export const cBorrow = compoundV2("borrow", "borrow");
export const cRepay = compoundV2("repay", "repayBorrow");

export const cEthSupply: Recipe = {
  id: "compound-v2.supply-eth",
  protocol: "compound-v2",
  action: "supply",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, this.protocol, "supply");
    p.give = nativeOf(1);
    p.amount = typicalAmount(g, p.give);
    p.target = C_ETHER;
    p.venueName = g.rng.pick(["Compound", "Compound v2"]);
    p.say.venue = true;
    return p;
  },
  encode: (p) => ({ calls: [{ to: p.target, data: cEther.encodeFunctionData("mint"), value: p.amount }] }),
};

function vaultRecipe(action: "vault_deposit" | "vault_withdraw"): Recipe {
  return {
    id: `erc4626.${action}`,
    protocol: "erc4626",
    action,
    chains: [1],
    wraps: ["none"],
    make(g) {
      const p = base(g, this.id, "erc4626", action);
      const chosen = g.rng.pick(VAULTS);
      p.give = tokenOf(1, chosen.asset);
      p.amount = typicalAmount(g, p.give);
      p.target = chosen.address;
      p.spender = chosen.address;
      p.allowance = p.amount;
      p.venueName = chosen.name;
      p.say.venue = true;
      if (action === "vault_deposit") p.withApproval = g.rng.chance(0.4);
      return p;
    },
    encode(p) {
      const data =
        p.action === "vault_deposit"
          ? vault.encodeFunctionData("deposit", [p.amount, p.recipient])
          : vault.encodeFunctionData("withdraw", [p.amount, p.recipient, p.actor]);
      return { calls: [...approval(p), { to: p.target, data, value: 0n }] };
    },
  };
}

export const vaultDeposit = vaultRecipe("vault_deposit");
export const vaultWithdraw = vaultRecipe("vault_withdraw");
