/** English. */
import type { Pack } from "../phrases.ts";
import { englishForms } from "./inflect.ts";

const verbs: Readonly<Record<string, string>> = {
  "verb:transfer": `${englishForms("send, transfer, pay, remit, wire, forward, tip, donate, dispatch, gift, venmo, shoot, shoot over, yeet, beam, pass along, pass on, hand, hand over, disburse, reimburse, refund, settle up with, compensate, reward, credit, zelle, slide, fire off, kick, airdrop, distribute, disperse, split, divide, share, send over, send out, ship, punt, route, relay, deliver, drop, contribute, chip in, toss, throw, fund, top up, refill, cash out, offload to, direct, settle, sweep, drain, empty, flush, spot, front, award, cashapp, paypal, transmit, release, square up with, bestow")}, sent, sent over, paid, xfer, txfer, tx, trf, tfer, snd, threw, payment, payments, transfer of, donation, transfers, remittance, payout, pay out, paying out, paid out, pay back to, give away, chuck, lob, bung, sling, flick, ping, zap over, send off, sending off, transferral, disbursement, reimbursement, spent to, hand out, a tip of, gifting, pass along to, cash app, settle up, gave, given, split up, sending across, send across, push, pushing, contribution, contribution of, contributions`,
  "verb:transfer|bridge|supply|stake|swap|withdraw": `${englishForms("move, shift, relocate, migrate, rotate")}, move over, moving over`,
  "verb+light:transfer": "give, gives, giving, spare",
  "verb:swap|wrap|unwrap": `${englishForms("convert, exchange, turn, change, transform, flip, switch")}, turn over, changeover, conversion, exchange of`,
  "verb:swap": `${englishForms("swap, trade, dump, liquidate, rebalance, dca, sell off, market sell, ape, ape in, hedge, dispose of, unload, offload, cash in, roll, long, short")}, spend, spending, swapping out, swap out, swapped out, swpas, rebalance into, trade in, aping, invested`,
  "verb:swap|sell_nft":
    "sell, sells, selling, sold, sale, offer, offers, offering, put up, putting up, offer for sale, put up for sale, limit sell",
  "verb+gets:swap|buy_nft": `${englishForms("purchase, acquire, grab, snag, scoop, scoop up, pick up, obtain, cop, accumulate, stack, bag, snipe, fill my bag with, load up on, stock up on, market buy, procure, secure")}, buy, buys, buying, bought, buy up, buying up, buyback`,
  "verb+gets+light+receives:swap|claim|withdraw|borrow|buy_nft|unstake|remove_liquidity|mint":
    "get, gets, getting, receive, receives, receiving, want to have, get hold of, get me, get back, ends up with, end up with",
  "verb+gets+light+want:swap|withdraw|borrow|claim|buy_nft|mint|unstake|remove_liquidity|bridge":
    "want, wants, wanting, need, needs, needing, i want, i need, we want, we need, i'd like, i would like, we'd like, we would like, need some, want some, wish for, i'd love, needs more, need more, want more, wants more, i'd rather have, i would rather have, i'd prefer, i prefer, i'm after, looking for, i'm looking for, i am looking for",
  "verb:transfer|bridge|swap|supply": "go, goes, shall go, should go, must go, has to go, needs to go",
  "verb:swap|bridge|wrap|unwrap": "go from, going from, went from, goes from",
  "verb:swap|transfer": "get rid of, getting rid of, be rid of, rid me of, part with, ditch, ditching",
  "verb:transfer|withdraw|repay": `${englishForms("return, send back, give back, hand back")}, sent back`,
  "verb:transfer|unstake|withdraw|remove_liquidity": englishForms("burn"),
  "verb:withdraw": englishForms("unlend, un-lend, unsupply, un-supply, undeposit"),
  "verb:supply|stake":
    "earn, earning, earn on, earning on, earn with, earning with, earn something on, earn yield, earning yield, earn interest, earning interest, earn rewards, earn staking rewards, earn passive income, get some yield, get yield, get some interest, make some yield, earn some yield, start earning on, start earning with, start earning, get yield on, get some yield on, get interest on, make money on, put to work, putting to work",
  "verb+light:supply|add_liquidity|stake": "add, adds, adding, added",
  "verb:wrap": `${englishForms("wrap")}, wrap up`,
  "verb:unwrap": `${englishForms("unwrap")}, un-wrap`,
  "verb:supply": `${englishForms("supply, lend, loan out, lend out, provide as collateral, post as collateral, collateralize, collateralise")}, lent, supplying, post, posting, collateralise, use as collateral`,
  "verb:supply|stake|wrap|add_liquidity|bridge|transfer": `${englishForms("deposit")}, deposits, deposit of, put in`,
  "verb:supply|stake|add_liquidity|transfer|swap": `save, ${englishForms("park, invest, allocate, lock, stash, deploy into, place, commit, plow, pour, plonk, stick, zap, inject, farm, lock up, feed, channel, funnel")}, put, puts, putting, earn yield on, earn interest on, earn yield with, earning yield on, make yield on`,
  "verb+gets:withdraw|unstake|unwrap|remove_liquidity|transfer": `${englishForms("withdraw, pull, pull out, withdrawal, remove, exit, retrieve, recover, free up, extract, claw back, reclaim, take down")}, withdrew, withdrawn, withdrawal of, take out, taking out, take, taking, taken out, get out, getting out, take back, getting back, cash out of, pull back`,
  "verb:withdraw|unstake|unwrap|remove_liquidity|claim": `${englishForms("redeem, cash out my position in, close out")}, redemption, redemption of`,
  "verb:withdraw|remove_liquidity|repay|unstake|swap": englishForms("close, unwind, wind down"),
  "verb+gets:borrow": `${englishForms("borrow, draw, draw down, lever up")}, drew, take out a loan of, take a loan of, a loan of, loan of, take out a loan, take a loan, taking a loan, get a loan of, get a loan, getting a loan, open a loan of, open a loan, open a borrow of, loan me, loan us, lend me, lend us, borrowing of, drawing a loan of`,
  "verb:repay": `${englishForms("repay, pay off, pay down, chip away at, clear my debt, settle my debt, settle my loan, clear")}, repaid, paid off, paid down, repayment, repayment of`,
  "verb:repay|transfer": `${englishForms("pay back")}, paid back`,
  "verb:stake|supply": `${englishForms("stake, liquid stake, liquid-stake, restake, re-stake, bond")}, stake of`,
  "verb:unstake|withdraw": `${englishForms("unstake, un-stake, unbond, unlock")}, request withdrawal of`,
  "verb+gets:claim": `${englishForms("claim, collect, harvest, reap, gather")}, claim of`,
  "verb+arrives:bridge|transfer": `${englishForms("arrive, land, appear, show up, turn up, pop up")}, end up`,
  "verb:add_liquidity|supply": englishForms("provide"),
  "verb:add_liquidity": `${englishForms("add liquidity, provide liquidity, supply liquidity, add lp, pool, deposit liquidity")}, lp, lping, provide lp, add to the pool, add to the liquidity pool, join the pool, join pool, zap into lp, open a liquidity position, open an lp position, add more liquidity, increase liquidity, increasing liquidity, mint a position, mint an lp position, mint a liquidity position`,
  "verb+gets:remove_liquidity": `${englishForms("remove liquidity, withdraw liquidity, pull liquidity, decrease liquidity, unpool, remove my liquidity, pull my liquidity, withdraw my liquidity")}, remove lp, exit the pool, exit my lp, leave the pool, burn lp, burn my lp tokens, take liquidity out, leave the liquidity pool, take out liquidity, remove all liquidity, remove all my liquidity`,
  "verb:bridge": `${englishForms("bridge, bridge over, bridge across, port, port over, port across, teleport, hop, hop over, ferry, ferry over, cross-chain")}, take across, taking across, bring over, bring across, bring, bringing, bridge of, cross chain transfer of, cross chain transfer`,
  "verb+gets:mint": `${englishForms("mint")}, mint of`,
  "verb:approve": `to spend, may spend, can spend, could spend, to be able to spend, be able to spend, being able to spend, able to spend, allowed to spend, to pull, may pull, can pull, to be able to pull, be able to pull, being able to pull, able to pull, to withdraw up to, can take, may take, to be able to take, be able to take, may use, can use, to be able to use, be able to use, being able to use, to draw up to, to be able to draw, be able to draw, able to draw, to be able to move, can draw, may draw, ${englishForms("approve, allow, permit, authorize, authorise, enable spending of, permission, let, entitle, okay, greenlight, green-light, whitelist, sign off on")}, letting, approval, approvals, allowance, allowances, permission, permissions, approval of, allowance of, permission for, permit for, spending cap, spending limit, spend limit, spending permission, authorization, authorisation, increase allowance, increase the allowance, raise the allowance, raise the spending cap, set the allowance, set allowance, set an allowance, set approval, operator approval, spending rights, spending approval, token approval, set approval for all, setapprovalforall, access to my, access`,
  "verb+light:approve": "grant, grants, granting, granted",
  "verb:revoke": `back to nothing, to nothing, ${englishForms("revoke, un-approve, undo, unset, rescind, stop, prevent, block, forbid, zero out, wipe out, withdraw the approval of, get rid of the approval of, disapprove, unapprove, disallow")}, kill the approval, remove the approval, remove approval, remove the allowance, remove allowance, cancel the approval, cancel approval, cancel my approval, cancel the allowance, cancel allowance, reset the allowance, reset allowance, zero out the allowance, zero the allowance, set the allowance to zero, remove permission, remove the permission, take away, taking away, take away permission, revocation, clear the allowance, clear allowance, reset approval, reset the approval, remove access, cancel all approvals, remove spending permission, withdraw permission, withdraw approval, stop letting, no longer allow, disconnect, undo the approval, drop the approval, nuke the approval, remove my approval`,
  "verb+gets:buy_nft":
    "buy nft, buy the nft, buy an nft, purchase the nft, purchase nft, bid, bidding, bid on, place a bid on, make an offer on, sweep the floor, accept the listing, buy the listing, take the listing of, take the listing, fulfil the listing, fulfill the listing",
  "verb:sell_nft": `${englishForms("list, auction, put up for sale, put on sale")}, relist, listing of, put on the market, accept the offer, accept the bid, accept offer, accept bid, accept the best offer, listing`,
  "verb:delegate":
    "voting rights, voting power, voting weight, vote power, my votes, our votes, represent me, represent us, vote on my behalf, vote for me, vote on our behalf",
  "verb:delegate|stake": `${englishForms("delegate, redelegate, undelegate")}, delegation, delegation of`,
  "verb:vote": `${englishForms("vote, cast my vote, cast a vote, cast vote")}, cast my ballot, cast, upvote, downvote`,
  "verb:cancel": `${englishForms("cancel, abort, void, invalidate, kill")}, cancelling, cancelled, delist, unlist, cancellation`,
  "verb:deploy": `${englishForms("deploy, create a contract, launch a contract")}, deployment, deploy a contract, deploy the contract`,
  "verb:admin": `${englishForms("upgrade, renounce, pause, unpause, install, uninstall, appoint, promote, demote")}, transfer ownership, transferring ownership, transfer the ownership, hand over ownership, change the owner, change owner, set owner, set the owner, add an owner, add owner, add a signer, add signer, remove an owner, remove owner, remove a signer, remove signer, swap owner, replace owner, replace signer, enable module, enable the module, disable module, disable the module, set guard, set the guard, set fallback handler, set the fallback handler, change threshold, change the threshold, set the threshold, set threshold, grant role, grant the role, give ownership, give up ownership, accept ownership, set admin, change admin, make admin, set implementation, change the implementation`,
  "verb+light:": `${englishForms("make, place, submit, perform, execute, initiate, create, issue, arrange, process, complete, schedule, prepare, start, conduct, set up, use, assign, entrust, enable, disable, set, trigger, increase, raise, reset, lower, decrease, reduce, replace, update, sign, confirm, carry out, broadcast, run, handle, kick off, facilitate, configure, open, change over")}, made, do, does, doing, done, set`,
};

const small: Readonly<Record<string, string>> = {
  "prep:to":
    "to, sitting in, sitting at, sitting on, landing at, landing in, landing with, arriving at, arriving in, arriving with, delivered to, delivered at, delivered into, deliver to, deliver it to, and deliver to, to land at, to land in, towards, toward, over to, unto, onto, straight to, directly to, payable to, out to, back to, up to the address, destined for, addressed to, recipient is, recipient being, the recipient is, the recipient being, the receiver is, whose address is, going to, heading to, bound for, to the account, to the tune of, destination is, the destination is, destination address is, the destination address is, recipient address is, the recipient address is, his wallet is, her wallet is, their wallet is, its address is, his wallet address is, her wallet address is, their wallet address is, the wallet is, wallet address is, the wallet address is, his account is, her account is, their account is, address is, the address is, their address is, his address is, her address is, @",
  "prep:into":
    "into, in to, and receive, and get, to get, to receive, and get back, to obtain, receiving, getting, in return for, in exchange for, in exchange of, ->, →, =>, ➡, ⇒, ➔, ⟶, >>, -->, then into, and receive back, expecting, and get me, for some, giving me, to become, going long",
  "prep:for": "for, at a total of, for a total of, at a total price of, for a total price of",
  "prep:from": "from, out of, off of, off, sourced from, away from, held by, belonging to, taken from",
  "prep:on":
    "on, via, through, using, thru, by way of, by using, over, at, by means of, within the, inside, w/, leveraging, on top of, powered by, utilizing, utilising",
  "prep:in": "in",
  "prep:with":
    "with, paying with, paid with, funded by, funded with, paying, paid in, in exchange for giving",
  "prep:behalf":
    "on behalf of, in the name of, crediting, credited to, for the account of, for the benefit of",
  "prep:of": "of",
  "prep:by": "by",
  "prep:as": "as",
  "prep:between": "between, among, amongst",
  "prep:against": "against, backed by, collateralized by, collateralised by, using as collateral",
  "prep:per": "per, a piece of, each for one",
  "prep:at":
    "at a price of, at the price of, at a rate of, at the rate of, limit price, limit price of, at a limit of, with a limit price of, price limit, price limit of, strike price, at a limit price of, price per, rate of, target price, with a limit of",
  "bound:most":
    "max input, maximum input, max in, max input of, maximum input of, amountinmaximum, amountinmax, amount in max, amount in maximum, maxamountin, max amount in, willing to pay up to, budget ceiling, budget ceiling of, a budget ceiling of, budget cap, budget cap of, spend ceiling, cost ceiling, max cost, maximum cost, the most i will pay is, the most i'll pay is, the most i will spend is, the most i'll spend is, max spend, maximum spend, max spend of, maximum spend of, at most, no more than, not more than, up to, max, maximum, a maximum of, maximum of, a max of, max of, never more than, not exceeding, less than or equal to, capped at, cap of, limit of, under, below, less than, as much as, upto, at the most, ≤, <=, <, not over, without exceeding, no greater than, not greater than, limited to, to a maximum of, tops of, a cap of, not above, lower than, fewer than, smaller than, anything up to, doesn't exceed, does not exceed, must not exceed, should not exceed, shouldn't exceed, can't exceed, cannot exceed, no higher than, not higher than, stay under, stays under, stay below, stays below, capped to, keep it under, keep it below, a ceiling of, don't exceed, do not exceed, don't spend more than, do not spend more than, don't pay more than, do not pay more than, don't use more than, do not use more than, never spend more than, spend no more than, spending no more than, spending at most, paying at most, paying no more than, pay no more than, use at most, spend at most, pay at most, don't send more than, do not send more than, don't go over, do not go over, don't go above, do not go above, don't let it spend more than, not a penny more than, never pay more than, at max, max out at",
  "bound:least":
    "reject anything under, reject anything below, reject anything less than, revert under, revert below, revert if under, revert if below, revert if less than, fail if under, fail if below, nothing under, nothing below, nothing less than, floor, floor of, a floor of, floor is, the floor is, with a floor of, amountoutmin, amountoutminimum, amount out min, amount out minimum, minamountout, minreturn, minreturnamount, min dy, mindy, no worse than, not worse than, i expect no worse than, the lowest i will take is, the lowest i'll take is, the lowest i will accept is, the lowest i'll accept is, the lowest i accept is, the least i will take is, the least i'll take is, the least i will accept is, the least i'll accept is, the minimum i will accept is, the minimum i'll accept is, the minimum i accept is, i will accept no less than, i won't take less than, i will not take less than, i won't accept less than, i will not accept less than, bottom line, bottom line of, abort if i'd get less than, abort if i would get less than, abort if i get less than, abort if it is less than, abort if less than, abort below, cancel if i'd get less than, cancel if i get less than, cancel if less than, revert if i'd get less than, revert if i get less than, revert if less than, revert below, fail if i get less than, fail if less than, stop if i'd get less than, stop if i get less than, skip it if i get less than, if i get at least, if i receive at least, if i can get at least, as long as i get at least, so long as i get at least, provided i get at least, provided that i get at least, only if i get at least, if it gets me at least, if i get no less than, as long as i receive at least, provided i receive at least, but not for less than, not for less than, but not less than, at least, no less than, not less than, min, minimum, a minimum of, minimum of, a min of, min of, or better than, more than, greater than, over a, above, not below, ≥, >=, >, not under, no fewer than, never less than, not lower than, no lower than, higher than, in excess of, upwards of, at the very least, don't accept less than, do not accept less than, accept no less than, accepting no less than, not accept less than, don't take less than, do not take less than, i must receive, i must get, i want to receive at least, receive at least, receiving at least, get at least, getting at least, expect at least, guaranteed at least, anything less than, must be at least, should be at least, a floor of, floor of, minimum received, min received, minimum output, min output, min out, minimum out, minimum amount out, minimum return, min return, minimum receive, at minimum, at a minimum, worst case",
  "bound:exact":
    "exactly, precisely, exact, only, just, a total of, total of, in total, the amount of, an amount of, amount of, the sum of, a sum of, a grand total of, strictly, the full amount of, quantity of, a quantity of, to the tune of, no more and no less than, not more not less than, a balance of, the equivalent amount of",
  "bound:about":
    "about, around, roughly, approximately, approx, approx., circa, ca., ~, ≈, nearly, almost, close to, give or take, more or less, some odd, in the neighborhood of, in the region of, or so of",
  "after:most":
    "or less, tops, or under, or below, or fewer, or lower, as a maximum, as the maximum, is the max, is my max, is my limit, is the limit",
  "after:least":
    "is my minimum, is the minimum, is my floor, is the least i accept, at minimum, at a minimum, or more, or above, or over, or higher, or greater, or better, as a minimum, as the minimum",
  "after:about": "or so, ish",
  "and:": "and, &, +, plus, as well as, along with, together with, and also, also, as also, alongside",
  "then:":
    "then, after that, afterwards, next, finally, lastly, and then, subsequently, thereafter, after this, after which, followed by, once done, when done, once that's done, once that is done, when that's done, when that is done, once complete, once completed, after it's done, then finally, first, firstly, secondly, thirdly, first of all, to begin with, to start, immediately after, once the swap is done, once it's done, once it is done, upon completion, when finished, once finished, right after, second, and after that, once confirmed, once that's confirmed, once it confirms, and finally, once it arrives, when it arrives, once received, once they arrive, once that clears, once that completes, once that has completed, once this is done, once the swap completes, once the swap is complete, once swapped, once bridged, once wrapped, once unwrapped, once approved, once that's through, before you, as a second step, as a first step, in the same transaction, atomically, in one go, and last, last",
  "cond:":
    "if, when, whenever, once, as soon as, only if, only when, only after, but only after, not until, not before, only from, unless, provided, provided that, in case, assuming, as long as, in the event, in the event that, until after, only once, the moment, should the price, conditional on, contingent on, wait until, wait for, wait till, after the price, on condition that, so long as",
  "purpose:":
    "i'm about to, i am about to, we're about to, we are about to, so i can, so that, so we can, so they can, in order to, so as to, so it can, so he can, so she can, to be able to, because, cause, cuz, since, as i, as he, as she, as they, as we, as it, as payment for, as a, as agreed, as promised, as discussed, as requested, as per, which i, which he, which she, which is, that i, that he, that she, that we, who, whom, whose, he paid, she paid, i owe, it's for, it is for, its for, this is for, that's for, that is for, they're for, this covers, covering, memo, message, subject, reason, description, regarding, re, towards rent, i promised, i lost, thanks for, thank you for, in return for dinner, so he, so she, so they, so we, just because, to cover, to settle, to pay for, to help with, to fund, to avoid, to earn, to make sure, to ensure, to keep, to use as, to serve as, to protect, to have, to diversify, to free up, to thank, to test, as a test, as a thank, it's my, it is my, this is my, that's my, he's my, she's my, i've, i have, i had, we've, we have, we agreed, they are",
  "self:":
    "me, myself, my wallet, my account, my own wallet, my own account, my own address, my address, my eoa, my safe, my escrow, my smart account, my smart wallet, my vault address, our wallet, our account, our safe, our treasury safe, this wallet, this account, this address, the same wallet, same wallet, same address, the same address, my main account, self, the sender, the same account, the user, user's wallet, the user's wallet, caller, the caller, msg.sender, i, we, us, our own wallet, the connected wallet, connected wallet, the escrow, escrow, my own safe, the smart account, own wallet, own address",
  "my:": "my, our, mine, the user's, user's, of mine",
  "all:":
    "all, all of, everything, entire, whole, max amount of, the max amount of, the maximum amount of, maximum amount of, full, every last, every bit of, 100 percent of, all the, the entire, the whole, the full, the rest of, the remaining, remaining, the rest, my entire, my whole, my full, my total, total balance of, entire balance of, whole balance of, full balance of, all available, entire stack of, whole stack of, complete, my complete, every, every single, max out, whatever is left of, what's left of, everything in, entirety of, the entirety of, completely, fully, in full",
  "vague:":
    "some, a few, a bit of, a little, a bit, few, a couple, couple, a couple of, several, a handful of, a little bit of, a dozen or so, dozen or so, a small amount of, a tiny bit of, a chunk of, part of, a portion of, a lot of, lots of, most of, a bunch of, enough, a small portion of, any amount of, a tad of, a fraction of",
  "share:5000": "half, half of, one half of, 50 percent of, one half, a half of",
  "share:2500": "a quarter of, one quarter of, quarter of, a fourth of, one fourth of",
  "share:7500": "three quarters of, three fourths of, three-quarters of",
  "share:1/3": "a third of, one third of, third of, one-third of",
  "share:2/3": "two thirds of, two-thirds of",
  "share:1/6": "a sixth of, one sixth of",
  "share:1/7": "a seventh of, one seventh of",
  "share:1/8": "an eighth of, one eighth of",
  "share:1/9": "a ninth of, one ninth of",
  "share:2000": "a fifth of, one fifth of",
  "share:1000": "a tenth of, one tenth of",
  "num:0.1": "a tenth of an, a tenth of a, one tenth of an, one tenth of a, a tenth",
  "num:0.2": "a fifth of an, a fifth of a",
  "num:0.05": "a twentieth of an, a twentieth of a",
  "num:0": "zero",
  "num:1": "one",
  "num:2": "two",
  "num:3": "three",
  "num:4": "four",
  "num:5": "five",
  "num:6": "six",
  "num:7": "seven",
  "num:8": "eight",
  "num:9": "nine",
  "num:10": "ten",
  "num:11": "eleven",
  "num:12": "twelve, a dozen, dozen",
  "num:13": "thirteen",
  "num:14": "fourteen",
  "num:15": "fifteen",
  "num:16": "sixteen",
  "num:17": "seventeen",
  "num:18": "eighteen",
  "num:19": "nineteen",
  "num:20": "twenty",
  "num:30": "thirty",
  "num:40": "forty, fourty",
  "num:50": "fifty",
  "num:60": "sixty",
  "num:70": "seventy",
  "num:80": "eighty",
  "num:90": "ninety",
  "num:0.5": "half a, half an",
  "num:0.25": "a quarter, quarter, one quarter, a quarter of an, a quarter of a, quarter of an",
  "num:0.75": "three quarters, three quarters of an, three quarters of a",
  "num:1.5": "a half and one",
  "andhalf:0.5": "and a half, and one half, & a half",
  "andhalf:0.25": "and a quarter",
  "andhalf:0.75": "and three quarters",
  "scale:2": "hundred, hundreds",
  "scale:3": "thousand, k, grand, thousands",
  "scale:6": "million, mil, mio, millions, mm",
  "scale:9": "billion, bn, billions",
  "unit:1": "second, seconds, sec, secs, s",
  "unit:60": "minute, minutes, min, mins",
  "unit:3600": "hour, hours, hr, hrs, h",
  "unit:86400": "day, days, d",
  "unit:604800": "week, weeks, wk, wks",
  "unit:2592000": "month, months",
  "unit:31536000": "year, years, yr, yrs",
};

const more: Readonly<Record<string, string>> = {
  "each:":
    "each, apiece, a piece, per person, respectively each, to each of, to each, each of, per head, per address, per recipient, per wallet",
  "evenly:":
    "evenly, equally, in equal parts, in equal shares, fifty-fifty, 50/50, even split, equal amounts",
  "unlimited:":
    "unlimited, infinite, uncapped, limitless, unlimited amount of, an unlimited amount of, infinite amount of, no limit, any amount, max approval, maximum allowance, max allowance, without limit, without a limit, unrestricted",
  "slippage:":
    "tolerance, price tolerance, slippage, slippage tolerance, slip, price impact, max slippage, maximum slippage, slippage limit, price slippage, slippage cap, price deviation, max slip, slippages",
  "gas:":
    "gas, gas price, gas fee, gas fees, network fee, network fees, max fee, max gas, gas cost, gas costs, base fee, gasprice, maxfee, maximum gas price, max gas price, fee per gas, max fee per gas, transaction fee, tx fee, priority fee",
  "gaslimit:": "gas limit, gaslimit, gas units, gas cap of",
  "pronoun:":
    "all proceeds, all the proceeds, all of the proceeds, it, that, them, those, the proceeds, proceeds, the result, the resulting, these, the output, the received, the swapped, the bought, what i get, whatever i get, the amount received, the received amount, the outcome, the funds, this, the borrowed, the withdrawn, the claimed, the wrapped, the unwrapped, the bridged, the same amount, the same, all of it, the tokens, the whole thing, everything i get, everything received, the lot, resulting",
  "asset:ETH":
    "ether, ethers, eths, ethereum coin, native eth, native ether, sepolia eth, sepoliaeth, sepolia ether, test eth, testnet eth, native token, native coin, native currency, the native token, base eth, ξ",
  "asset:USDT": "tether, tethers, usd tether",
  "asset:USDC": "usd coin, usd coins, circle usd, native usdc",
  "asset:WETH": "wrapped ether, wrapped eth, wrapped ethereum",
  "asset:WBTC": "wrapped bitcoin, wrapped btc",
  "asset:STETH": "lido staked ether, lido staked eth, staked ether, lido steth",
  "asset:WSTETH": "wrapped steth, wrapped staked ether, wrapped staked eth",
  "asset:RETH": "rocket pool eth",
  "asset:LINK": "chainlink, chainlink tokens",
  "asset:USDC.E": "bridged usdc",
  "asset:SHIB": "shiba, shiba inu",
  "class:stablecoin": "stablecoin, stablecoins, stables, stable coin, stable coins, stable",
  "class:nft": "nft, nfts, collectible, collectibles",
  "class:token": "tokens, coins, crypto, assets, any token, a token, some token, token",
  "class:rewards":
    "rewards, reward, staking rewards, staking reward, yield, fees earned, earned fees, accrued fees, trading fees, lp fees, incentives, interest, earnings, winnings, accrued rewards, unclaimed fees, uncollected fees, my airdrop, dividends",
  "class:position":
    "position, positions, lp position, liquidity position, lp tokens, lp token, liquidity, lps, shares, lp nft, vault position, vault shares, collateral position",
  "class:debt":
    "debt, loan, outstanding debt, outstanding loan, borrow balance, debt position, loans, outstanding balance, borrowed amount, credit line",
  "balance:":
    "balance, holdings, stack, bag, bags, funds, savings, supply balance, wallet balance, holding, stash, portfolio, account balance",
  "fiat:USD": "dollar, dollars, bucks, usd, us dollars, us dollar, buck, quid in dollars, greenbacks",
  "fiat:EUR": "euro, euros, eur, €",
  "fiat:GBP": "pound, pounds, gbp, quid, £",
  "wei:0":
    "wei, base units, base unit, raw units, atomic units, smallest units, units of the smallest denomination, atoms",
  "wei:9": "gwei, shannon",
  "worth:": "worth of, worth, 's worth of, equivalent of, value of, equivalent in, 's worth, equivalent",
  "percent:": "percent, per cent, pct, percentage",
  "bps:": "bps, basis points, bp, bips, basis point",
  "within:":
    "within, within the next, in the next, valid for, good for, expires in, expire in, expiring in, expires after, expire after, expiring after, deadline of, deadline, deadline in, deadline is, in under, in less than, deadline within, time limit of, timeout of, timeout, time limit, expiry of, expiry in, expiry, expiration of, expiration, expiration in, valid for the next, ttl of, ttl, open for, for the next, during the next, over the next, lasts, lasting, validity of, validity, must land within, must execute within, must be mined within, no later than, no longer than, order lives for, keep it open for, keep the order open for, lives for, live for, active for",
  "until:":
    "until, before, by, till, not after, valid until, expires on, expires at, expiring on, good until, good till, valid till, deadline at, expire on, expiring at, expiry on, on or before, latest by, at the latest by, deadline timestamp, deadline timestamp of",
  "later:":
    "after tomorrow, after monday, after tuesday, after wednesday, after thursday, after friday, after saturday, after sunday, after the weekend, this weekend, next monday, next tuesday, next wednesday, next thursday, next friday, next saturday, next sunday, next weekend, starting monday, starting tomorrow, starting next week, tomorrow, next week, next month, tonight, every day, every week, every month, daily, weekly, monthly, every hour, hourly, each day, each week, each month, on monday, on tuesday, on wednesday, on thursday, on friday, on saturday, on sunday, every monday, every friday, midnight, noon, end of day, eod, at midnight, at noon, this evening, biweekly, end of the month, end of month, end of the week, per day, per week, per month, a day, a week, a month, every other day, recurring, repeatedly",
  "partial:":
    "partial fill, partial fills, partially fillable, partial filling, partially filled, partial execution, fill or kill, fill-or-kill, all or nothing, all-or-nothing, fok, fill partially, partial, filled partially, partial orders",
  "fee:":
    "fee, gas refund, gas refunds, refund of gas, fees, commission, service fee, referral fee, protocol fee, surcharge, platform fee, integrator fee, relayer fee, bridge fee, fee tier, referral, tip for, interface fee, cut, kickback",
  "tier:": "fee tier, pool, fee pool, tier, pool fee",
};

const noise: Readonly<Record<string, string>> = {
  "neg:refuse":
    "refuse to, refuse, refuses, refusing, refused to, i refuse, i refuse to, decline to, decline, declines, hold off on, hold off, hold off from, holding off on, abstain from, desist from, cease, on no account, by no means, no way",
  "neg:":
    "don't, do not, never, no, without, avoid, avoiding, not, dont, except, except for, excluding, other than, exclude, but not, and not, don't you dare, do nothing, none of, must not, mustn't, shouldn't, should not, cannot, can't, won't, instead of, rather than, and nothing, nothing, neither, nor, anything but, not to, under no circumstances, refrain from, stay away from, not the",
  "keep:":
    "leave, leaving, keep, keeping, but keep, but leave, minus, and leave, and keep, saving, reserve, reserving",
  "nftid:":
    "token id, token ids, tokenid, nft id, id, ids, token number, nft number, nft no, number, token no",
  "noteword:":
    "subtask, tranche, referral code, referralcode, referral id, invoice, inv, ref, reference, ticket, receipt, bill, po, case, step, item no, order no, order number, order id, invoice number, invoice no, ref no, tracking, batch no, week no, phase, milestone, sprint, chapter, version, proposal, round, job, contract no, ticket no, payment no, customer, client no, room, table, apt, apartment, nonce, row, line, option, issue, pr, epoch, season, installment, instalment, january, february, march, april, june, july, august, september, october, november, december, jan, feb, apr, jun, jul, aug, sep, sept, oct, nov, dec, in may, fy, attempt, section, trip, flight, tx no, mainnet block, block, validator",
  "but:": "but, however, though, although, except that, with the caveat",
  "correct:":
    "no wait, wait no, actually no, i mean, scratch that, sorry i meant, i meant, correction, make that, no make it, oops, oops i meant, wait, on second thought, no sorry, rather make it, or rather, hold on, my bad, actually make it, actually make that, edit",
  "noise:":
    "pending, payer is user, payer is the user, payer is me, msg sender, stop there, and stop there, stop after that, then stop, that is the whole bundle, that's the whole bundle, that is the whole batch, that's the whole batch, on the nose, is fine, is fine by me, is ok, is okay, claim nft, the claim nft, a claim nft, withdrawal nft, the withdrawal nft, receipt nft, just enough, only enough, exactly enough, just what is needed, just what it needs, what it needs, only what is needed, only what it needs, whatever it needs, exact output, exact out, exact input, exact in, base asset, the base asset, let me know, let us know, lemme know, tell me, give me a shout, ping me, keep me posted, quick one, quick thing, next thing, next item, next up, one last thing, last one, last thing, one thing, next thing on my list, first thing, on my list, on the list, on my to do list, on my todo, usual routine, the usual routine, same as always, same as last time, usual drill, the usual drill, only that one payment, only this one payment, just that one payment, just this one payment, only that one, just that one, only this one, one transfer only, one payment only, just one transfer, just one payment, a single transfer, one time, one-time, one-off, one off, just this once, just once, take profits, take profit, taking profits, take some profit, take some profits, right, alright, and keep the rest, and leave the rest, but keep the rest, but leave the rest, and keep everything else, leave the rest, leave the rest alone, keep the rest, and leave the rest alone, leave everything else alone, leave everything else, keep everything else, leave the rest as is, leave the rest untouched, leave the rest where it is, leave it there, leave it at that, keep it in my wallet, keep it in my account, keep them in my wallet, keep it, keep it simple, want in, i want in, good to go, let's go, lets go, here we go, way to go, i should receive, i should get, we should receive, we should get, thanks for your help, thank you for your help, thanks a lot, thanks a bunch, thanks so much, thank you so much, thank you very much, many thanks, eip - 7702, eip 7702, eip7702, erc - 7702, needed, required, so that is, so that's, so that makes, that makes, to a smart account, into a smart account, a smart account, to a smart wallet, into a smart wallet, a smart wallet, to a plain eoa, a plain eoa, to a regular eoa, a regular eoa, a normal eoa, to a normal eoa, cash, payday, home, hey agent, dear agent, hi agent, hello agent, ok agent, okay agent, yo agent, hey bot, hi bot, hello bot, api, the api, api call, gasless, gaslessly, risk off, risk on, markets, market, limit sell order, limit buy order, time for, no rush, to work, to use, no hurry, no problem, no worries, not urgent, no need, why not, no matter, no doubt, if possible, if you can, if you could, if you don't mind, if that's ok, if that's okay, if it's ok, if needed, if necessary, if required, when you can, when you get a chance, when possible, when ready, whenever you can, whenever you're ready, once you can, as soon as possible, as soon as you can, asap, right now, now, immediately, right away, straight away, at once, today, if not already, if not done already, if not already done, if you please, when you have a moment, if at all possible, if you would, when you have time, when you're ready, please, pls, plz, kindly, thanks, thank you, thx, ty, cheers, hey, hi, hello, yo, dear, can you, could you, would you, will you, can i, could i, may i, i want to, i wanna, i'd like to, i would like to, i need to, i have to, i'm looking to, i am looking to, i'm going to, i am going to, let's, lets, let us, let me, help me, help me to, go ahead and, go ahead, just go and, i'd love to, we want to, we need to, we would like to, we'd like to, i'm trying to, i am trying to, i wish to, i intend to, i plan to, i'd appreciate it if you, i'd appreciate it if you could, i would appreciate it if you could, would you mind, do me a favor and, do me a favour and, can you help me, make sure to, make sure, be sure to, please have, have, ensure, ensure that, make sure that, please make sure, i'm ready to, it's time to, time to, want to, need to, like to, going to, gonna, wanna, gotta, i want you to, i need you to, i'd like you to, i would like you to, should, must, to be, be, is, are, was, been, being, will, would, can, could, may, might, the, a, an, this transaction, this is, there is, here is, here's, here, there, ok, okay, so, well, um, uh, erm, hmm, sure, yes, yeah, yep, great, nice, cool, good, morning, evening, afternoon, gm, gn, buddy, mate, friend, bro, dude, fam, sir, team, folks, guys, really, quickly, quick, fast, safely, carefully, directly, simply, whole lot, actually, basically, literally, kind of, maybe, perhaps, again, once more, one more time, another, new, fresh, old, current, currently, existing, own, also please, and please, please also, then please, for me, for us, for myself, out, over, up, down, back, away, apart, together, along, off, wallet, account, address, contract, protocol, app, dapp, platform, exchange app, chain, network, blockchain, mainnet network, thing, things, stuff, order, orders, limit order, market order, transaction, transactions, tx for, operation, action, request, instruction, instructions, task, trade order, market, rate, price, best price, best rate, at the best price, at the best rate, at the best available price, at the current price, at current price, at market, at market price, at market rate, at the market price, at market value, at the going rate, best available rate, the best, best, worth it, good rate, reasonable, sensible, standard, default, normal, usual, regular, per usual, as usual, as always, the usual, total, amount, quantity, value, sum, please and thank you, much, many, very, too, than, more, less, its, his, her, their, your, it's, that's, i'm, i am, i'd, i'll, you, he, she, they, who's, which, what, someone, anyone, somebody, person, people, guy, man, woman, something, anything else, anything, nothing else, nothing more, and nothing else, nothing fancy, only that, that's it, that's all, that is all, that is it, this one, that one, one of, ones, either, or, any, both, same, such, like, as follows, following, the following, below is, these are, listed below, namely, i.e., e.g., ie, eg, via my, with my, in my, on my, at my, from my wallet, from my account, from my address, from my main wallet, from my safe, out of my wallet, from my escrow, from my smart account, from our safe, from our wallet, from our account, from my own wallet, from my balance, from this wallet, from this account, from the escrow, in my wallet, in our wallet, in my account, in my safe, that i hold, i hold, i own, that i own, i've got, i got, that i have, held in my wallet, sitting in my wallet, from the treasury's, of course, obviously, by the way, btw, fyi, lol, haha, lmao, wagmi, ser, anon, pretty please, thanks in advance, many thanks, much appreciated, appreciate it, best regards, regards, cheers mate, good day, good morning, good evening, good afternoon, hi there, hey there, hello there, from there, over there, in there, there please, at your convenience, when convenient, in one transaction, in a single transaction, in one tx, in a single tx, to start with, real quick, on chain, onchain, on-chain, as is, for now, for good, for fun, for free, by default, by hand, at all, in particular, in full amount, with it, on it, to it, of it, at it, in it, from it, from that, from this, with that, with this, with them, of that, of this, of these, of those, for it, for that, for this, my behalf, on my behalf",
};

export const en: Pack = {
  id: "en",
  marks: { ...verbs, ...small, ...more, ...noise },
  keys: {
    verb: "action, operation, op, type, intent, act, command, what, task, request, do, instruction, function, method, transaction type, tx type, kind",
    amount:
      "amount, qty, quantity, value, sum, size, how much, amt, total, units, amount per recipient, payment amount, ui amount, uiamount, human amount, amount human, dx, token amount, transfer amount",
    token:
      "token, unit, asset, coin, currency, symbol, ticker, token symbol, asset symbol, tokens, which token",
    gives:
      "pay, from token, sell token, token in, tokenin, input, input token, selling, sell, spend, pay with, in, fromtoken, selltoken, from asset, give, you pay, i pay, paying, amount in, amountin, sell amount, input amount, inputtoken, spend token, source token, i sell, token to sell, token sold",
    gets: "want, wanted, i want, i need, to token, buy token, token out, tokenout, output, output token, buying, buy, receive, out, totoken, buytoken, to asset, get, you receive, i receive, receiving, outputtoken, amount out, amountout, buy amount, destination token, target token, token to buy, token received, i get",
    least:
      "min out, minimum out, minout, amountoutmin, minimum received, min received, minimum, min amount out, minimum amount out, min, minimum output, min output, minreceived, minamountout, min receive, minimum to receive, at least, floor, min return, minreturn, minreturnamount, amountoutminimum, min dy, mindy, min_dy, min amount",
    most: "max in, maximum in, maxin, max, maximum, amountinmax, max spend, maximum spend, at most, limit, cap, spending cap, budget, max budget, spend up to, amountinmaximum, amount in maximum, amount in max, ceiling, max cost",
    to: "to, payto, pay to address, recipientaddress, receiveraddress, destinationaddress, beneficiaryaddress, recipient, receiver, destination, dest, beneficiary, payee, destination address, recipient address, to address, receiving address, send to, pay to, dst, target, where, whom, who, recipient wallet, wallet, toaddress, receiving wallet, payable to, address, dstreceiver, dst receiver, dst address, onbehalfof, on behalf of, to wallet, payout address, beneficiary wallet, credit to",
    from: "sender, safe, multisig, safe address, safeaddress, from safe, source safe, from, from address, payer, source, owner, from wallet, fromaddress",
    spender: "spender, operator, approved spender, delegate, approve to, approved address",
    on: "protocol, venue, dex, platform, exchange, app, via, on, router, market, pool, dapp, provider, marketplace, bridge, aggregator, service, lender",
    chain:
      "chain, network, blockchain, chain id, chainid, source chain, from chain, fromchain, origin chain, source network, on chain, sourcechain, from network, origin",
    tochain:
      "to chain, tochain, destination chain, target chain, dest chain, destination network, to network, target network, destinationchain, dst chain",
    slippage:
      "slippage, max slippage, slippage tolerance, slippagebps, slippage bps, tolerance, maximum slippage, maxslippage, slippage limit",
    deadline:
      "deadline, expiry, expires, expiration, validforseconds, valid for seconds, validseconds, ttlseconds, maxtimeoutseconds, timeoutseconds, valid for, ttl, time limit, valid until, validity, expires in",
    note: "memo, note, reason, comment, reference, ref, description, message, subject, purpose, notes, invoice, nonce, re, label, fee tier, pool fee, ps, p.s, context, background, title, id, order id, request id, urgency, priority, date, p s, fyi",
    price: "price, limit price, rate, limit, target price, price limit",
    gas: "gas, gas price, max gas, max fee, gas limit",
    nft: "token id, tokenid, nft id, id, nft, collection, token ids, item",
  },
  stop: "the of to and in is my please send swap for from with on i you want would like can could at all this that it me buy sell into via using",
};
