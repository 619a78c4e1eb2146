// Signed orders: CoW, UniswapX, 1inch limit orders, Seaport listings and buys.
import { Address, LimitOrder, MakerTraits } from "@1inch/limit-order-sdk";
import { ORDER_TYPE_FIELDS } from "@cowprotocol/sdk-contracts-ts";
import { ZeroAddress, ZeroHash, id as keccakText, parseUnits } from "ethers";
import { must } from "../must.ts";
import type { Gen, Params, Recipe } from "../types.ts";
import {
  COW_SETTLEMENT,
  NFTS,
  ONEINCH_V6,
  OPENSEA_CONDUIT_KEY,
  PERMIT2,
  SEAPORT_16,
  UNISWAPX_REACTOR,
} from "../data/protocols.ts";
import { BigNumber, EIP_712_ORDER_TYPE, UnsignedV2DutchOrder } from "../data/sdks.ts";
import { seaport as seaportAbi } from "./abi.ts";
import { base } from "./base.ts";
import { swapTerms } from "./swaps.ts";
import { typed } from "./typed.ts";

function orderParams(g: Gen, r: Recipe, venueName: string, target: string): Params {
  const p = base(g, r.id, r.protocol, r.action);
  swapTerms(g, p, "none");
  p.target = target;
  p.venueName = venueName;
  p.say.venue = true;
  p.deadline = BigInt(g.now + 1200);
  return p;
}

const sellToken = (p: Params): string => must(p.route[0]).address;
const buyToken = (p: Params): string => must(p.route[p.route.length - 1]).address;

export const cowOrder: Recipe = {
  id: "cow.order",
  protocol: "cow",
  action: "swap",
  chains: [1, 8453, 42161],
  wraps: ["none"],
  make(g) {
    const p = orderParams(g, this, g.rng.pick(["CoW Swap", "CoW", "cowswap"]), COW_SETTLEMENT);
    if (g.rng.chance(0.4)) p.say.noPartial = true;
    return p;
  },
  encode(p) {
    const message = {
      sellToken: sellToken(p),
      buyToken: buyToken(p),
      receiver: p.order.receiver ?? p.recipient,
      sellAmount: p.amount,
      buyAmount: p.order.buyAmount ?? p.minOut,
      validTo: p.order.validTo ?? Number(p.deadline),
      appData: keccakText("{}"),
      feeAmount: 0,
      kind: p.order.kind,
      partiallyFillable: p.order.partial,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
    };
    const domain = {
      name: "Gnosis Protocol",
      version: "v2",
      chainId: p.domainChain ?? p.chain,
      verifyingContract: p.verifying ?? COW_SETTLEMENT,
    };
    return { calls: [], order: typed(domain, { Order: ORDER_TYPE_FIELDS }, "Order", message) };
  },
};

export const uniswapX: Recipe = {
  id: "uniswapx.order",
  protocol: "uniswapx",
  action: "swap",
  chains: [1, 42161],
  wraps: ["none"],
  make(g) {
    return orderParams(g, this, g.rng.pick(["UniswapX", "Uniswap X"]), must(UNISWAPX_REACTOR[g.chain]));
  },
  encode(p) {
    const big = (v: bigint): unknown => BigNumber.from(v.toString());
    const deadline = p.order.validTo ?? Number(p.deadline);
    // Not the builder, which compares deadlines with the system clock.
    const info = {
      reactor: UNISWAPX_REACTOR[p.chain],
      swapper: p.actor,
      nonce: big(p.nonce + 1n),
      deadline,
      additionalValidationContract: ZeroAddress,
      additionalValidationData: "0x",
      cosigner: "0x4449Cd34d1eb1FEDCF02A1Be3834FfDe8E6A6180",
      input: { token: sellToken(p), startAmount: big(p.amount), endAmount: big(p.amount) },
      outputs: [
        {
          token: buyToken(p),
          startAmount: big(p.order.buyAmount ?? p.quote),
          endAmount: big(p.order.buyAmount ?? p.minOut),
          recipient: p.order.receiver ?? p.recipient,
        },
      ],
    };
    const order = new UnsignedV2DutchOrder(info, p.chain, PERMIT2);
    const data = order.permitData();
    if (p.domainChain) data.domain.chainId = p.domainChain;
    return { calls: [], order: typed(data.domain, data.types, "PermitWitnessTransferFrom", data.values) };
  },
};

export const limitOrder1inch: Recipe = {
  id: "1inch.limit-order",
  protocol: "1inch",
  action: "limit_order",
  chains: [1, 8453, 42161, 10],
  wraps: ["none"],
  make(g) {
    const p = orderParams(g, this, "1inch", ONEINCH_V6);
    // A limit order always states what it wants to receive.
    delete p.say.slippageBps;
    p.say.minOut = true;
    if (g.rng.chance(0.4)) p.say.noPartial = true;
    return p;
  },
  encode(p) {
    let traits = MakerTraits.default()
      .withExpiration(BigInt(p.order.validTo ?? Number(p.deadline)))
      .withNonce(p.nonce);
    traits = p.order.partial ? traits.allowPartialFills() : traits.disablePartialFills();
    const receiver = p.order.receiver ?? p.recipient;
    const order = new LimitOrder(
      {
        makerAsset: new Address(sellToken(p)),
        takerAsset: new Address(buyToken(p)),
        makingAmount: p.amount,
        takingAmount: p.order.buyAmount ?? p.minOut,
        maker: new Address(p.actor),
        receiver: receiver === p.actor ? Address.ZERO_ADDRESS : new Address(receiver),
        salt: BigInt(p.variant),
      },
      traits,
    );
    const data = order.getTypedData(p.domainChain ?? p.chain);
    const { EIP712Domain: _drop, ...types } = data.types as unknown as Record<
      string,
      { name: string; type: string }[]
    >;
    return { calls: [], order: typed(data.domain, types, "Order", data.message) };
  },
};

function priceOf(g: Gen, p: Params): void {
  const item = g.rng.pick(NFTS);
  p.nft = {
    collection: item.address,
    name: item.name,
    id: BigInt(g.rng.int(2, 9800)),
    quantity: 1n,
    standard: 721,
  };
  const text = g.rng.pick(["0.5", "1.25", "2", "3.5", "8", "12"]);
  p.amount = parseUnits(text, 18);
  p.target = SEAPORT_16;
  p.venueName = g.rng.pick(["OpenSea", "Seaport"]);
  p.say.venue = true;
  p.deadline = BigInt(g.now + 7 * 86_400);
}

const nftItem = (nft: { collection: string; id: bigint }): object => ({
  itemType: 2,
  token: nft.collection,
  identifierOrCriteria: nft.id,
  startAmount: 1,
  endAmount: 1,
});

export const seaportListing: Recipe = {
  id: "seaport.list",
  protocol: "seaport",
  action: "nft_list",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "seaport", "nft_list");
    priceOf(g, p);
    p.say.deadlineMinutes = 7 * 24 * 60;
    return p;
  },
  encode(p) {
    const pay = p.order.buyAmount ?? p.amount;
    const message = {
      offerer: p.actor,
      zone: ZeroAddress,
      offer: [must(p.nft), ...(p.order.extraOffer ? [p.order.extraOffer] : [])].map(nftItem),
      consideration: [
        {
          itemType: 0,
          token: ZeroAddress,
          identifierOrCriteria: 0,
          startAmount: pay,
          endAmount: pay,
          recipient: p.order.considerationTo ?? p.actor,
        },
      ],
      orderType: 0,
      startTime: p.now,
      endTime: p.order.validTo ?? p.deadline,
      zoneHash: ZeroHash,
      salt: p.variant,
      conduitKey: OPENSEA_CONDUIT_KEY,
      counter: 0,
    };
    const domain = {
      name: "Seaport",
      version: "1.6",
      chainId: p.domainChain ?? p.chain,
      verifyingContract: p.verifying ?? SEAPORT_16,
    };
    return { calls: [], order: typed(domain, EIP_712_ORDER_TYPE, "OrderComponents", message) };
  },
};

export const seaportBuy: Recipe = {
  id: "seaport.buy",
  protocol: "seaport",
  action: "nft_buy",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "seaport", "nft_buy");
    priceOf(g, p);
    return p;
  },
  encode(p) {
    const nft = must(p.nft);
    const data = seaportAbi.encodeFunctionData("fulfillBasicOrder", [
      {
        considerationToken: ZeroAddress,
        considerationIdentifier: 0,
        considerationAmount: p.amount,
        offerer: "0x4A5f9b9E1a4c0b0B6cE5dDb6D7A1cE8fB5C9A1e2".toLowerCase(),
        zone: ZeroAddress,
        offerToken: nft.collection,
        offerIdentifier: nft.id,
        offerAmount: 1,
        basicOrderType: 0,
        startTime: p.now - 3600,
        endTime: p.deadline,
        zoneHash: ZeroHash,
        salt: p.variant,
        offererConduitKey: OPENSEA_CONDUIT_KEY,
        fulfillerConduitKey: ZeroHash,
        totalOriginalAdditionalRecipients: 0,
        additionalRecipients: p.split ? [{ amount: p.split.amount, recipient: p.split.to }] : [],
        signature: "0x" + "5e".repeat(64),
      },
    ]);
    return { calls: [{ to: p.target, data, value: p.amount + (p.split?.amount ?? 0n) }] };
  },
};
