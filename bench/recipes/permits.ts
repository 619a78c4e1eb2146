// Signatures that move or lend assets: EIP-2612, DAI's permit, Permit2, EIP-3009.
import { must } from "../must.ts";
import type { Gen, Params, Recipe } from "../types.ts";
import { ONEINCH_V6, PERMIT2, ROUTER_02, universalRouter } from "../data/protocols.ts";
import { AllowanceTransfer, SignatureTransfer } from "../data/sdks.ts";
import { tokenOf, tokensOf } from "../data/tokens.ts";
import { base, typicalAmount } from "./base.ts";
import { TRANSFER_WITH_AUTHORIZATION, fields, typed } from "./typed.ts";

/** EIP-712 name and version of Circle's token on the chains used here. */
const USDC_DOMAIN = { name: "USD Coin", version: "2" };

function permitParams(g: Gen, r: Recipe, symbols: readonly string[]): Params {
  const p = base(g, r.id, r.protocol, r.action);
  p.give = g.rng.pick(tokensOf(g.chain).filter((t) => symbols.includes(t.symbol)));
  p.amount = typicalAmount(g, p.give);
  p.allowance = p.amount;
  const known = g.rng.pick([
    { name: "Uniswap", address: must(ROUTER_02[g.chain]) },
    { name: "1inch", address: ONEINCH_V6 },
  ]);
  p.spender = known.address;
  p.spenderName = known.name;
  p.deadline = BigInt(g.now + 1800);
  return p;
}

function permit2Params(g: Gen, r: Recipe): Params {
  const p = permitParams(g, r, ["USDC", "DAI", "WETH"]);
  p.spender = universalRouter("2.0", g.chain);
  p.spenderName = "Uniswap";
  return p;
}

export const permit2612: Recipe = {
  id: "eip2612.permit",
  protocol: "eip2612",
  action: "permit",
  chains: [1, 8453, 42161, 10],
  wraps: ["none"],
  make(g) {
    return permitParams(g, this, ["USDC"]);
  },
  encode(p) {
    const message = {
      owner: p.actor,
      spender: p.spender,
      value: p.allowance,
      nonce: p.nonce,
      deadline: p.deadline,
    };
    const types = {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    };
    const domain = {
      ...USDC_DOMAIN,
      chainId: p.domainChain ?? p.chain,
      verifyingContract: p.verifying ?? must(p.give).address,
    };
    return { calls: [], order: typed(domain, types, "Permit", message) };
  },
};

function details(p: Params, token: string, amount: bigint): object {
  const expiration = p.order.expiration ?? p.deadline;
  return { token, amount: amount.toString(), expiration: expiration.toString(), nonce: p.nonce.toString() };
}

export const permit2Single: Recipe = {
  id: "permit2.single",
  protocol: "permit2",
  action: "permit",
  chains: [1, 8453, 42161, 10],
  wraps: ["none"],
  make(g) {
    return permit2Params(g, this);
  },
  encode(p) {
    const one = details(p, must(p.give).address, p.allowance);
    const body = {
      details: p.order.padding ? [one, details(p, p.order.padding.address, (1n << 160n) - 1n)] : one,
      spender: p.spender,
      sigDeadline: p.deadline.toString(),
    };
    const data = AllowanceTransfer.getPermitData(body, p.verifying ?? PERMIT2, p.domainChain ?? p.chain);
    return {
      calls: [],
      order: typed(data.domain, data.types, p.order.padding ? "PermitBatch" : "PermitSingle", data.values),
    };
  },
};

export const permit2Transfer: Recipe = {
  id: "permit2.signature-transfer",
  protocol: "permit2",
  action: "permit",
  chains: [1, 8453, 42161],
  wraps: ["none"],
  make(g) {
    return permit2Params(g, this);
  },
  encode(p) {
    const body = {
      permitted: { token: must(p.give).address, amount: p.allowance.toString() },
      spender: p.spender,
      nonce: p.nonce.toString(),
      deadline: p.deadline.toString(),
    };
    const witness = p.order.witness
      ? {
          witness: { recipient: p.thief, amount: p.allowance.toString() },
          witnessTypeName: "Payout",
          witnessType: {
            Payout: [
              { name: "recipient", type: "address" },
              { name: "amount", type: "uint256" },
            ],
          },
        }
      : undefined;
    const data = SignatureTransfer.getPermitData(
      body,
      p.verifying ?? PERMIT2,
      p.domainChain ?? p.chain,
      witness,
    );
    const primary = witness ? "PermitWitnessTransferFrom" : "PermitTransferFrom";
    return { calls: [], order: typed(data.domain, data.types, primary, data.values) };
  },
};

export const eip3009: Recipe = {
  id: "eip3009.pay",
  protocol: "eip3009",
  action: "pay_signature",
  chains: [1, 8453, 42161, 10],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "eip3009", "pay_signature");
    p.give = tokenOf(g.chain, "USDC");
    p.amount = typicalAmount(g, p.give);
    p.recipient = g.rng.address();
    p.say.recipient = "address";
    p.deadline = BigInt(g.now + 900);
    return p;
  },
  encode(p) {
    const message = {
      from: p.actor,
      to: p.recipient,
      value: p.amount,
      validAfter: p.now - 60,
      validBefore: p.deadline,
      nonce: "0x" + p.variant.toString(16).padStart(64, "0"),
    };
    const types = { TransferWithAuthorization: fields(TRANSFER_WITH_AUTHORIZATION) };
    const domain = {
      ...USDC_DOMAIN,
      chainId: p.domainChain ?? p.chain,
      verifyingContract: p.verifying ?? must(p.give).address,
    };
    return { calls: [], order: typed(domain, types, "TransferWithAuthorization", message) };
  },
};
