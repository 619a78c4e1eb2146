/** English verb frames. To teach a verb, add it to the frame with its meaning, and an example. */
import type { Frame } from "./types.ts";

const A = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const B = "0x8b1998c45592Bab3A576F0d755e3d3467f66816D";

const places = {
  chain: { "": "chain", on: "chain", over: "chain", in: "chain", via: "chain", from: "chain", at: "chain", using: "chain", of: "chain" },
  venue: {
    "": "venue",
    on: "venue",
    via: "venue",
    using: "venue",
    with: "venue",
    in: "venue",
    at: "venue",
    through: "venue",
    over: "venue",
    by: "venue",
  },
  slippage: { "": "slippage", with: "slippage", at: "slippage", by: "slippage" },
  deadline: { "": "deadline" },
  price: { "": "price", at: "price", for: "price" },
  choice: { "": "choice", on: "choice", in: "choice", via: "choice", using: "choice", with: "choice", at: "choice", through: "choice", from: "choice", of: "choice", to: "choice", into: "choice", as: "choice", for: "choice" },
} as const;

const trade = {
  ...places,
  party: { to: "to", into: "to", in: "to", from: "from", "": "to", at: "to" },
} as const;

export const frames: readonly Frame[] = [
  {
    id: "transfer",
    acts: ["transfer"],
    verbs:
      "send, transfer, pay, remit, wire, forward, tip, donate, dispatch, gift, shoot, beam, hand, disburse, reimburse, refund, compensate, reward, credit, ship, route, relay, deliver, drop, contribute, chip in, toss, fund, top up, settle, spot, front, award, transmit, release, give, get, bung, sling, ping, kick, pass, slip, lob, chuck, zap, push, move, shift, airdrop, distribute, disperse, split, gift, slide, venmo, zelle, spare, bestow, grant, advance, square, square up, settle up, deposit, xfer, return, throw, pop, fire, bounce, loan, lend, snd, sned, trasnfer, tranfer, sedn, pay out, hand over, pay back, hand out, pass on, pass along, send over, send across, send off, send back, give back, make good, cover, cash out, sweep, sort, sort out, hook up, help out, treat, fix up, make whole, refill, feed, seed, bankroll, sponsor, allocate, issue, extend, mail",
    nouns:
      "payment, payments, transfer, transfers, donation, tip, payout, payouts, remittance, disbursement, reimbursement, refund, contribution, gift, chip in, pay",
    roles: {
      ...places,
      amount: { "": "give", of: "give", with: "give", for: "give", in: "give" },
      asset: { "": "give", in: "give", of: "give", with: "give", using: "give" },
      party: { "": "to", to: "to", for: "to", at: "to", into: "to", toward: "to", from: "from" },
    },
    own: "back, over, across, out, along, off, up, through, straight, directly, in, around, away, back to, each, the sum of, a total of, as payment, as a payment, in full, exact amount, worth, together",
    examples: [
      `Send 5 USDC to ${A} on Base`,
      `Please pay ${A} 0.5 ETH.`,
      `${A} gets 40 DAI`,
      `20 usdc to ${A}`,
      `Could you send my sister 25 USDC on Polygon? Her wallet is ${A}.`,
    ],
    counterexamples: [
      `Send 5 USDC to ${A}. Never mind.`,
      `I sent 5 USDC to ${A}`,
      `Should I send 5 USDC to ${A}?`,
      `Bob said send 5 USDC to ${A}`,
      `Send 5 USDC to ${A} tomorrow`,
    ],
  },
  {
    id: "swap",
    acts: ["swap", "wrap", "unwrap", "stake", "unstake"],
    verbs:
      "swap, trade, exchange, convert, turn, change, flip, switch, dump, sell, liquidate, rotate, rebalance, offload, unload, sell off, get rid of, cash in, cash out, go, ditch, roll, trade in, swap out, market sell, dispose of, move, transform, sawp, swpa, swop, spend, put, shift, take, use, part with, redenominate",
    nouns: "swap, trade, exchange, conversion, sale, sell order, swap order, market order",
    roles: {
      ...trade,
      amount: { "": "give", of: "give", for: "get", to: "get", into: "get", "->": "get", from: "give", against: "get", as: "get" },
      asset: { "": "give", of: "give", for: "get", to: "get", into: "get", "->": "get", from: "give", against: "get", in: "get", as: "get" },
    },
    own: "over, out, out of, out of my, back, back to, back into, worth, proceeds, the proceeds, proceeds to, with proceeds to, market, pair, on spot, spot, off, up, away",
    examples: [
      "Swap 0.5 ETH for USDC on Uniswap, at least 1,530 USDC",
      "sell 5 WETH for USDC on uni v3, min out 15,600",
      "1.4 ETH -> USDC, Base, Uniswap, >= 4350 USDC",
    ],
    counterexamples: ["Swap 0.5 ETH for USDC or DAI", "I was thinking of swapping 0.5 ETH for USDC"],
  },
  {
    id: "buy",
    acts: ["swap", "buy_nft"],
    verbs:
      "buy, purchase, acquire, grab, pick up, get, snag, scoop up, obtain, stack, market buy, cop, ape into, load up on, bag, secure",
    nouns: "purchase, buy order, buy",
    roles: {
      ...trade,
      amount: { "": "get", of: "get", with: "give", for: "give", using: "give", from: "give" },
      asset: { "": "get", of: "get", with: "give", for: "give", using: "give", from: "give", in: "give" },
    },
    own: "worth, up, exactly, some, me, myself",
    examples: ["Buy exactly 100 LINK with USDC on Uniswap and spend at most 1,760 USDC."],
  },
  {
    id: "wrap",
    acts: ["wrap"],
    verbs: "wrap, warp, wrap up",
    nouns: "wrap",
    roles: {
      ...trade,
      amount: { "": "give", of: "give", to: "get", into: "get", "->": "get", as: "get" },
      asset: { "": "give", of: "give", to: "get", into: "get", "->": "get", as: "get", for: "get" },
    },
    own: "up",
    examples: ["Wrap 2 ETH into WETH."],
  },
  {
    id: "unwrap",
    acts: ["unwrap"],
    verbs: "unwrap, un wrap, unwarp",
    nouns: "unwrap",
    roles: {
      ...trade,
      amount: { "": "give", of: "give", to: "get", into: "get", "->": "get", as: "get" },
      asset: { "": "give", of: "give", to: "get", into: "get", "->": "get", as: "get", for: "get" },
    },
    own: "back, back to, back into",
    examples: ["unwrap 1.2 weth back to plain eth on base"],
  },
  {
    id: "supply",
    acts: ["supply", "stake", "wrap", "add_liquidity"],
    verbs:
      "supply, lend, deposit, park, put, place, invest, post, stash, lock, allocate, stick, drop, add, commit, provide, top up, save, move, send, earn with, lend out, shove, tuck, dump, pop, plop, throw, pour, contribute, collateralize, collateralise, pledge, set aside, use, plonk, chuck, bung, toss, sock away, put away, shift, sweep, deploy, plough, plow, transfer, load, bank",
    nouns: "deposit, supply, top up",
    roles: {
      ...places,
      venue: { ...places.venue, to: "venue", into: "venue", "": "venue" },
      amount: { "": "give", of: "give" },
      asset: { "": "give", of: "give", to: "get", into: "get", in: "get", "->": "get", for: "get", as: "get" },
      party: { for: "behalf", behalf: "behalf", from: "from", to: "to", "": "to", with: "to" },
    },
    own: "as collateral, as a collateral, collateral, to work, to good use, lending pool, lending market, the lending pool, to earn yield, to earn interest, for yield, to earn some yield, to earn some interest, so it earns interest, so it earns yield, so that it earns interest, earning yield, earning interest, shares, the shares, savings, market, pool, vault, position, variable, in, into savings, back, the market, up, away, as liquidity, on deposit, reserve",
    examples: ["supply 0.35 weth to aave on arbitrum pls", "Deposit 150 DAI into sDAI"],
    counterexamples: ["Supply 100 USDC to Aave if rates go up"],
  },
  {
    id: "withdraw",
    acts: ["withdraw", "unstake", "unwrap", "remove_liquidity", "claim"],
    verbs:
      "withdraw, pull, pull out, take out, take, take back, remove, retrieve, redeem, recover, reclaim, free up, get, get back, get out, exit, pull back, unlend, extract, bring back, cash out, draw out, close, close out, unwind, fetch, collect, bring, liberate, unpark, drain, empty, unlock, withdrawl, return, claw back, wind down",
    nouns: "withdrawal, withdrawals, redemption, withdrawl",
    roles: {
      ...places,
      venue: { ...places.venue, from: "venue", out: "venue", of: "venue", to: "venue" },
      amount: { "": "get", of: "get", from: "get" },
      asset: { "": "get", of: "get", from: "give", as: "get", in: "get", for: "get", to: "get", into: "get" },
      party: { to: "to", into: "to", in: "to", from: "from", "": "to" },
    },
    own: "back, out, home, shares, the shares, pool, vault, position, collateral, market, lending position, savings, supplied, the market, again, deposit, off, worth, lending, proceeds, the proceeds, the underlying, underlying, everything",
    examples: ["Withdraw 850 USDC from Aave v3 on Arbitrum into this wallet, my quarterly VAT is due."],
  },
  {
    id: "borrow",
    acts: ["borrow"],
    verbs: "borrow, draw, take out a loan of, take a loan of, draw down, take a loan for, open a loan of, loan me, lend me, take out",
    nouns: "loan, borrow, variable loan, loan of",
    roles: {
      ...places,
      venue: { ...places.venue, from: "venue", against: "venue" },
      amount: { "": "get", of: "get", for: "get" },
      asset: { "": "get", of: "get", in: "get" },
      party: { to: "to", into: "to", "": "to" },
    },
    own: "against my collateral, against collateral, against my position, against what i supplied, against my deposit, against my existing collateral, loan, a loan, more, out, the market, market, pool, collateral",
    examples: ["Borrow 7,500 USDC against my collateral on Aave v3 mainnet, variable rate."],
  },
  {
    id: "repay",
    acts: ["repay"],
    verbs: "repay, pay back, pay off, pay down, settle, clear, return, close, give back, put, knock out, kill, reduce, chip away at, pay",
    nouns: "repayment",
    roles: {
      ...places,
      venue: { ...places.venue, to: "venue", toward: "venue", into: "venue" },
      amount: { "": "give", of: "give", with: "give" },
      asset: { "": "give", of: "give", in: "give", with: "give" },
      party: { for: "behalf", behalf: "behalf", of: "behalf", from: "from" },
    },
    own: "debt, loan, my debt, my loan, of my debt, of my loan, variable debt, my variable debt, the debt, the loan, borrow, what i borrowed, i borrowed, i owe, what i owe, that i owe, position, balance, towards my debt, toward my debt, back, off, toward, towards, against, outstanding, whatever it is right now, whatever it is, market, borrowing, borrowed, my borrow, worth",
    examples: ["Settle my entire USDC debt on Aave, Base network, whatever it is right now."],
  },
  {
    id: "stake",
    acts: ["stake", "supply"],
    verbs: "stake, liquid stake, restake, put, deposit, bond, lock, lock up, satke",
    nouns: "stake",
    roles: {
      ...places,
      venue: { ...places.venue, to: "venue", into: "venue" },
      amount: { "": "give", of: "give" },
      asset: { "": "give", of: "give", for: "get", into: "get", as: "get", to: "get" },
      party: { from: "from", for: "behalf", behalf: "behalf", "": "to" },
    },
    own: "liquid staking, staking, for staking, rewards, to earn staking rewards, to earn rewards, for rewards, pool, up, in",
    examples: ["Stake 3 ETH with Lido"],
  },
  {
    id: "unstake",
    acts: ["unstake", "withdraw"],
    verbs: "unstake, un stake, unbond, unlock, request withdrawal of",
    roles: {
      ...places,
      venue: { ...places.venue, from: "venue" },
      amount: { "": "give", of: "give" },
      asset: { "": "give", of: "give", for: "get", to: "get", into: "get" },
      party: { to: "to", into: "to", from: "from" },
    },
    own: "back, the withdrawal queue, withdrawal queue",
    examples: ["Unstake 2 stETH with Lido"],
  },
  {
    id: "claim",
    acts: ["claim"],
    verbs: "claim, collect, harvest, gather",
    nouns: "claim",
    roles: {
      ...places,
      venue: { ...places.venue, from: "venue" },
      amount: { "": "get", of: "get" },
      asset: { "": "get", of: "get" },
      party: { to: "to", into: "to", from: "from" },
    },
    own: "rewards, reward, my rewards, pending rewards, the rewards, staking rewards, accrued, fees, pending, unclaimed",
    examples: ["Claim my AAVE rewards"],
  },
  {
    id: "bridge",
    acts: ["bridge"],
    verbs:
      "bridge, move, send, transfer, port, hop, ferry, bring, bring over, bridge over, take, shift, teleport, get, relocate, carry, migrate, brigde, push, haul",
    nouns: "bridge, bridge transfer, cross chain transfer, crossing",
    roles: {
      ...places,
      chain: { from: "chain", to: "toChain", on: "chain", into: "toChain", "->": "toChain", onto: "toChain", in: "chain", over: "chain", off: "chain", "": "chain", of: "chain", toward: "toChain" },
      venue: { ...places.venue, across: "venue" },
      amount: { "": "give", of: "give" },
      asset: { "": "give", of: "give", as: "get", for: "get" },
      party: { to: "to", into: "to", at: "to", from: "from", "": "to", in: "to" },
    },
    own: "over, across, home, bridge, the bridge, back, out, out of, all the way, straight, directly, worth, over there, on the other side, off, onto, mainnet, side",
    examples: [
      "Bridge 3000 USDC from Arbitrum to Base with Across to my own address, at least 2994 USDC must arrive.",
    ],
  },
  {
    id: "approve",
    acts: ["approve"],
    verbs:
      "approve, allow, permit, authorize, authorise, let, grant, give, enable, okay, greenlight, whitelist, set, set up, sign, increase, raise, green light, make, update",
    nouns: "approval, allowance, spending approval, approval of, permission, spending cap, spending limit",
    roles: {
      ...places,
      venue: { ...places.venue, "": "spender", to: "spender", for: "spender" },
      amount: { "": "give", of: "give", for: "give", to: "give", at: "give", on: "give", over: "give", in: "give" },
      asset: { "": "give", of: "give", for: "give", to: "give", on: "give", in: "give", over: "give" },
      party: { "": "spender", to: "spender", for: "spender", by: "spender", from: "from", with: "spender" },
    },
    own: "to spend, spend, to use, use, to pull, pull, to take, take, to move, move, to access, access, access to, access to my, permission, permission to spend, permission to use, permission to move, the right to spend, spending, spending permission, allowance, an allowance, an allowance of, approval, an approval, approval of, the allowance, the approval, spender, as spender, as a spender, cap, spending cap, limit, spending limit, a limit of, a cap of, with a cap of, with a limit of, out of my wallet, from my wallet, from my account, from our account, from our wallet, be able to spend, be allowed to spend, may spend, can spend, rights, operator, operator rights, as operator, as an operator, operator access, to draw, draw, to pull up to, be spent by, for spending, to be spent, the allowance for, to manage, manage, to transfer, transfer, permit, token approval, token, contract, router, pool, withdraw, to withdraw, to handle, exact, worth, to wrap, to the tune of",
    examples: [`Approve ${A} for 250 USDC`, `Let ${A} spend up to thirty (30) DAI from my account on Polygon, for groceries.`],
    counterexamples: [`Approve ${A} for 250 USDC, then revoke it later`],
  },
  {
    id: "revoke",
    acts: ["revoke"],
    verbs:
      "revoke, remove, cancel, kill, zero out, clear, reset, withdraw, take away, rescind, undo, disable, drop, unapprove, get rid of, stop, set, bring, end, pull, strip, delete, nuke, yank, cut, cut off, bring down, lower, reduce, wipe, terminate, disconnect, unset, zero, disallow, block",
    nouns: "revocation, revoke",
    roles: {
      ...places,
      venue: { ...places.venue, "": "spender", from: "spender", for: "spender", to: "spender", of: "spender", with: "spender" },
      amount: { to: "give", at: "give", "": "give" },
      asset: { "": "give", of: "give", on: "give", to: "give", for: "give", from: "give", over: "give" },
      party: { "": "spender", from: "spender", for: "spender", of: "spender", to: "spender", with: "spender", by: "spender" },
    },
    own: "allowance, the allowance, allowances, approval, the approval, approvals, permission, permissions, access, access to, access to my, right, rights, the right to spend, right to spend, to spend, to move, to use, to pull, from spending, from moving, spending, spending permission, i gave, i gave to, given to, i granted to, granted to, i granted, that i gave, i set for, operator, operator rights, as operator, as an operator, down to zero, down to 0, to zero, to 0, down, all, completely, entirely, token, contract, router, pool, spender, held by, spend, move, pull, use, touching, away, any, back to zero, current, existing, old, conduit, in full, remaining, unlimited, infinite, manage, to manage, off",
    examples: [`Revoke the USDT allowance I gave to ${A}`, `zero out LINK approval for ${A}`],
  },
  {
    id: "delegate",
    acts: ["delegate", "stake"],
    verbs: "delegate, redelegate, give, assign, point, hand, entrust, set, transfer, move",
    nouns: "delegation, voting power",
    roles: {
      ...places,
      amount: { "": "give", of: "give" },
      asset: { "": "give", of: "give", for: "give" },
      party: { to: "to", "": "to", with: "to" },
    },
    own: "voting power, votes, voting rights, vote, voting weight, my votes, governance power, governance votes, delegate, delegation, as delegate, as my delegate, as our delegate, voting, power, governance",
    examples: [`Delegate my UNI voting power to ${A}`],
  },
  {
    id: "sell_nft",
    acts: ["sell_nft"],
    verbs: "list, sell, offer, put up, auction",
    nouns: "listing, seaport listing",
    roles: {
      ...places,
      amount: { for: "get", at: "get", "": "get" },
      asset: { "": "give", of: "give", for: "get" },
      party: { to: "to" },
    },
    own: "for sale, up for sale, listing, offer, paid to me, paid entirely to my wallet, up",
    examples: [],
  },
  {
    id: "add_owner",
    acts: ["admin"],
    admin: "add_owner",
    verbs: "add",
    roles: {
      ...places,
      party: { "": "admin", of: "from", to: "from", on: "from", from: "from", in: "from" },
      count: { "": "threshold", at: "threshold", to: "threshold" },
    },
    own: "as an owner, as owner, as a signer, as signer, owner, signer, an owner, a signer, new owner, new signer, keep the threshold, keeping the threshold, keeps the threshold, keep threshold, threshold, with threshold, set the threshold, and keep the threshold, co owner, co signer, as a new owner, as a new signer",
    examples: [`Add ${A} as an owner of the Safe ${B} and keep the threshold at 3`],
  },
];
