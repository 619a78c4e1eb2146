// Incidents in which a signature, approval or order gave assets away.
import { MaxUint256, parseUnits } from "ethers";
import { COW_SETTLEMENT, NFTS, SEAPORT_16 } from "../data/protocols.ts";
import { tokenOf } from "../data/tokens.ts";
import { must } from "../must.ts";
import { erc20, erc721 } from "../recipes/abi.ts";
import { TRANSFER_WITH_AUTHORIZATION, fields, typed } from "../recipes/typed.ts";
import type { Incident, TypedData } from "../types.ts";
import { ME, NOW, ask, party } from "./incidents-multisig.ts";

const SIG =
  "a:permit_phishing a:unlimited_approval i:spender_match i:approval_scope_match i:effect_coverage i:action_match i:amount_match i:recipient_match i:asset_in_match t:decodability a:hidden_call i:intent_parsable i:intent_present i:constraint_coverage t:deadline_sane";
const ORDER =
  "a:order_drain a:price_impact a:min_out_zero i:limit_price_match i:amount_out_match i:effect_coverage i:order_terms_match i:recipient_match i:asset_in_match i:constraint_coverage i:slippage_match";

const PERMIT = ["owner:address", "spender:address", "value:uint256", "nonce:uint256", "deadline:uint256"];

function permit(name: string, token: string, value: bigint): TypedData {
  const message = { owner: ME, spender: party("drainer"), value, nonce: 0, deadline: MaxUint256 };
  return typed(
    { name, version: "1", chainId: 1, verifyingContract: token },
    { Permit: fields(PERMIT) },
    "Permit",
    message,
  );
}

const DAI_PERMIT = ["holder:address", "spender:address", "nonce:uint256", "expiry:uint256", "allowed:bool"];

const COMPONENTS = [
  "offerer:address",
  "zone:address",
  "offer:OfferItem[]",
  "consideration:ConsiderationItem[]",
  "orderType:uint8",
  "startTime:uint256",
  "endTime:uint256",
  "zoneHash:bytes32",
  "salt:uint256",
  "conduitKey:bytes32",
  "counter:uint256",
];
/** A consideration item is an offer item with a recipient. */
const OFFER = [
  "itemType:uint8",
  "token:address",
  "identifierOrCriteria:uint256",
  "startAmount:uint256",
  "endAmount:uint256",
];

export const SIGNATURE_INCIDENTS: Incident[] = [
  {
    name: "spweth-permit-2024",
    nodes: SIG,
    request: ask("Sign in to the restaking dashboard", {
      order: permit("Spark WETH", "0x59cD1C87501baa753d0B5B5Ab5D8416A45cD71DB", parseUnits("12083", 18)),
    }),
  },
  {
    name: "steth-permit-2025",
    nodes: SIG,
    request: ask("Claim my stETH rewards on Lido", {
      order: permit("Liquid staked Ether 2.0", tokenOf(1, "stETH").address, MaxUint256),
    }),
  },
  {
    name: "dai-permit-phish",
    nodes: SIG,
    request: ask("Approve Uniswap to spend 50 DAI", {
      order: typed(
        { name: "Dai Stablecoin", version: "1", chainId: 1, verifyingContract: tokenOf(1, "DAI").address },
        { Permit: fields(DAI_PERMIT) },
        "Permit",
        { holder: ME, spender: party("drainer"), nonce: 0, expiry: 0, allowed: true },
      ),
    }),
  },
  {
    name: "badger-2021",
    nodes: SIG,
    request: ask("Claim my Badger rewards", {
      to: tokenOf(1, "WBTC").address,
      value: "0",
      data: erc20.encodeFunctionData("increaseAllowance", [
        "0x1fcdb04d0c5364fbd92c73ca8af9baa72c269107",
        MaxUint256,
      ]),
    }),
  },
  {
    name: "uniswap-lp-phish-2022",
    nodes: SIG,
    request: ask("Claim the UNI airdrop for liquidity providers", {
      to: "0xC36442b4a4522E871399CD717aBDD847Ab11FE88",
      value: "0",
      data: erc721.encodeFunctionData("setApprovalForAll", [party("lp-phisher"), true]),
    }),
  },
  {
    name: "poap-rpl-approve",
    nodes: SIG,
    request: ask("Mint the event badge", {
      to: "0xD33526068D116cE69F19A9ee46F0bd304F21A51f",
      value: "0",
      data: erc20.encodeFunctionData("approve", [party("badge-phisher"), MaxUint256]),
    }),
  },
  {
    name: "cow-aave-2026",
    nodes: ORDER,
    request: ask(
      "Swap 50,400,000 USDT for AAVE on CoW Swap",
      {
        order: typed(
          { name: "Gnosis Protocol", version: "v2", chainId: 1, verifyingContract: COW_SETTLEMENT },
          {
            Order: fields([
              "sellToken:address",
              "buyToken:address",
              "receiver:address",
              "sellAmount:uint256",
              "buyAmount:uint256",
              "validTo:uint32",
              "appData:bytes32",
              "feeAmount:uint256",
              "kind:string",
              "partiallyFillable:bool",
              "sellTokenBalance:string",
              "buyTokenBalance:string",
            ]),
          },
          "Order",
          {
            sellToken: tokenOf(1, "USDT").address,
            buyToken: tokenOf(1, "AAVE").address,
            receiver: ME,
            sellAmount: parseUnits("50400000", 6),
            buyAmount: parseUnits("327", 18),
            validTo: NOW + 1200,
            appData: "0x" + "00".repeat(32),
            feeAmount: 0,
            kind: "sell",
            partiallyFillable: false,
            sellTokenBalance: "erc20",
            buyTokenBalance: "erc20",
          },
        ),
      },
      1,
      { prices_usd: { USDT: 1, AAVE: 250 } },
    ),
  },
  {
    name: "free-buy-order",
    nodes: ORDER,
    request: ask("Log in to the marketplace to see my offers", { order: freeListing() }),
  },
  {
    name: "x402-overcharge",
    nodes: SIG,
    request: ask(
      `Pay 0.01 USDC to ${party("weather-api")} for the forecast`,
      {
        order: typed(
          { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: tokenOf(8453, "USDC").address },
          { TransferWithAuthorization: fields(TRANSFER_WITH_AUTHORIZATION) },
          "TransferWithAuthorization",
          {
            from: ME,
            to: party("weather-api"),
            value: parseUnits("100", 6),
            validAfter: 0,
            validBefore: NOW + 600,
            nonce: "0x" + "ab".repeat(32),
          },
        ),
      },
      8453,
    ),
  },
  {
    name: "drift-like-unexpiring-permit",
    nodes: SIG,
    request: ask("Approve 1inch to spend 200 USDC for the next hour", {
      order: permit("USD Coin", tokenOf(1, "USDC").address, parseUnits("200", 6)),
    }),
  },
];

function freeListing(): TypedData {
  const nft = (i: number): object => ({
    itemType: 2,
    token: must(NFTS[i]).address,
    identifierOrCriteria: 100 + i,
    startAmount: 1,
    endAmount: 1,
  });
  const zero = "0x" + "00".repeat(20);
  return typed(
    { name: "Seaport", version: "1.6", chainId: 1, verifyingContract: SEAPORT_16 },
    {
      OrderComponents: fields(COMPONENTS),
      OfferItem: fields(OFFER),
      ConsiderationItem: fields([...OFFER, "recipient:address"]),
    },
    "OrderComponents",
    {
      offerer: ME,
      zone: zero,
      offer: [0, 1, 2, 3].map(nft),
      consideration: [
        {
          itemType: 0,
          token: zero,
          identifierOrCriteria: 0,
          startAmount: 1,
          endAmount: 1,
          recipient: party("free-buyer"),
        },
      ],
      orderType: 0,
      startTime: NOW,
      endTime: NOW + 86_400 * 180,
      zoneHash: "0x" + "00".repeat(32),
      salt: 1,
      conduitKey: "0x" + "00".repeat(32),
      counter: 0,
    },
  );
}
