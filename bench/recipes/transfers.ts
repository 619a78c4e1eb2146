// Plain transfers to a named party.
import { must } from "../must.ts";
import type { Call, Gen, Params, Recipe } from "../types.ts";
import { ALL_CHAINS, MAIN_CHAINS } from "../data/chains.ts";
import { MULTICALL3, MULTI_NFTS, NFTS } from "../data/protocols.ts";
import { nativeOf, tokensOf } from "../data/tokens.ts";
import { erc1155, erc20, erc721, multicall3 } from "./abi.ts";
import { base, typicalAmount } from "./base.ts";

const ACCOUNT_WRAPS = [
  "none",
  "none",
  "none",
  "safe",
  "account",
  "entrypoint",
  "erc7579",
  "erc7821",
] as const;

function statedRecipient(g: Gen, p: Params): void {
  p.recipient = g.rng.address();
  const kind = g.rng.next();
  p.say.recipient = kind < 0.74 ? "address" : kind < 0.88 ? "label" : "ens";
  p.say.label =
    p.say.recipient === "ens"
      ? g.rng.pick(["alice.eth", "bobby.eth", "treasury.mydao.eth", "vitalik.eth", "carol.base.eth"])
      : g.rng.pick(["Alice", "Bob", "Carlos", "my landlord", "Acme Payroll", "cold wallet", "Dana"]);
}

/** Transfers of an ERC-20 token or the chain's coin to one address. */
export function payCall(p: Params, to: string, amount: bigint): Call {
  if (!p.give || p.give.native) return { to, data: "0x", value: amount };
  return { to: p.give.address, data: erc20.encodeFunctionData("transfer", [to, amount]), value: 0n };
}

function encodePay(p: Params): { calls: Call[] } {
  const first = p.split ? p.amount - p.split.amount : p.amount;
  const calls = [payCall(p, p.recipient, first)];
  if (p.split) calls.push(payCall(p, p.split.to, p.split.amount));
  return { calls };
}

export const nativeTransfer: Recipe = {
  id: "native.transfer",
  protocol: "native",
  action: "transfer",
  chains: ALL_CHAINS,
  wraps: ACCOUNT_WRAPS,
  make(g) {
    const p = base(g, this.id, "native", "transfer");
    p.give = nativeOf(g.chain);
    p.amount = typicalAmount(g, p.give);
    statedRecipient(g, p);
    return p;
  },
  encode: encodePay,
};

export const tokenTransfer: Recipe = {
  id: "erc20.transfer",
  protocol: "erc20",
  action: "transfer",
  chains: ALL_CHAINS,
  wraps: ACCOUNT_WRAPS,
  make(g) {
    const p = base(g, this.id, "erc20", "transfer");
    p.give = g.rng.pick(tokensOf(g.chain));
    p.amount = typicalAmount(g, p.give);
    p.target = p.give.address;
    statedRecipient(g, p);
    return p;
  },
  encode: encodePay,
};

function payees(g: Gen, p: Params): void {
  const unit = typicalAmount(g, must(p.give));
  p.payees = Array.from({ length: g.rng.int(2, 4) }, (_, i) => ({
    to: g.rng.address(),
    amount: unit * BigInt(g.rng.int(1, 3) + (i % 2)),
  }));
  p.amount = p.payees.reduce((sum, x) => sum + x.amount, 0n);
  p.recipient = must(p.payees[0]).to;
}

export const payroll: Recipe = {
  id: "erc20.payroll",
  protocol: "erc20",
  action: "payroll",
  chains: MAIN_CHAINS,
  wraps: ["none", "multisend", "account", "erc7579", "erc7821"],
  make(g) {
    const p = base(g, this.id, "erc20", "payroll");
    p.give = g.rng.pick(tokensOf(g.chain).filter((t) => t.symbol === "USDC" || t.symbol === "DAI"));
    payees(g, p);
    return p;
  },
  encode: (p) => ({ calls: p.payees.map((x) => payCall(p, x.to, x.amount)) }),
};

export const multicallPayout: Recipe = {
  id: "multicall3.payout",
  protocol: "multicall3",
  action: "payroll",
  chains: MAIN_CHAINS,
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "multicall3", "payroll");
    p.give = nativeOf(g.chain);
    p.target = MULTICALL3;
    payees(g, p);
    return p;
  },
  encode(p) {
    const legs = [
      ...p.payees.map((x) => ({ target: x.to, allowFailure: false, value: x.amount, callData: "0x" })),
      ...p.extra.map((c) => ({ target: c.to, allowFailure: false, value: c.value, callData: c.data })),
    ];
    const value = legs.reduce((sum, x) => sum + x.value, 0n);
    return {
      calls: [{ to: p.target, data: multicall3.encodeFunctionData("aggregate3Value", [legs]), value }],
    };
  },
};

export const nftTransfer: Recipe = {
  id: "nft.transfer",
  protocol: "erc721",
  action: "nft_transfer",
  chains: [1],
  wraps: ["none", "none", "safe"],
  make(g) {
    const p = base(g, this.id, "erc721", "nft_transfer");
    const multi = g.rng.chance(0.3);
    const item = g.rng.pick(multi ? MULTI_NFTS : NFTS);
    p.nft = {
      collection: item.address,
      name: item.name,
      id: BigInt(g.rng.int(2, 9800)),
      quantity: multi ? BigInt(g.rng.int(2, 6)) : 1n,
      standard: multi ? 1155 : 721,
    };
    p.protocol = multi ? "erc1155" : "erc721";
    p.target = item.address;
    p.recipient = g.rng.address();
    p.say.recipient = "address";
    return p;
  },
  encode(p) {
    const nft = must(p.nft);
    const data =
      nft.standard === 721
        ? erc721.encodeFunctionData("safeTransferFrom(address,address,uint256)", [
            p.actor,
            p.recipient,
            nft.id,
          ])
        : erc1155.encodeFunctionData("safeTransferFrom", [p.actor, p.recipient, nft.id, nft.quantity, "0x"]);
    const calls: Call[] = [{ to: nft.collection, data, value: 0n }];
    if (p.nftMode === "all")
      calls[0] = {
        to: nft.collection,
        data: erc721.encodeFunctionData("setApprovalForAll", [p.recipient, true]),
        value: 0n,
      };
    return { calls };
  },
};
