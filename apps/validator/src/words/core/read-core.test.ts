import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sizeOf } from "../../../../../tools/testing/size.ts";
import { asksFor, coreOf, itemsIn } from "../../../test/core.ts";
import { A, lexicon } from "../../../test/words.ts";
import { placeBack, textOf } from "./parts.ts";
import { tokensOf } from "./tokens.ts";

describe("one act is read whatever is around it", () => {
  test.each([
    ["Please send 450 USDC on Base to {A}. That covers the practice room.", "Send 450 USDC to {A} on base."],
    ["my kid's football club: 65 USDC on Base to {A}, thanks!", "Send 65 USDC to {A} on base."],
    ["I owe the band for the room, so please send 450 USDC to {A}.", "Send 450 USDC to {A}."],
    [
      "The balance due is 1,350 USDT. Please transfer it on Ethereum to {A}.",
      "Send 1350 USDT to {A} on ethereum.",
    ],
    ["Token: USDT\nAmount: 415\nTo: {A}", "Send 415 USDT to {A}."],
    ["Approve exactly 1,000 USDC for {A}, the payroll contract.", "Approve {A} to spend 1000 USDC."],
    ["Allow {A} to spend 300 USDC of mine.", "Approve {A} to spend 300 USDC."],
    ["Please revoke the USDC allowance of {A} on Base.", "Revoke the allowance of {A} for USDC on base."],
    ["Please set the USDC allowance of {A} to zero.", "Revoke the allowance of {A} for USDC."],
    ["The boiler broke yesterday. Send 5 ETH to {A}.", "Send 5 ETH to {A}."],
    ["We split the flat and my part is 35 USDC. Please send it to {A}.", "Send 35 USDC to {A}."],
    ["My son says the club is open again. Send 5 ETH to {A}.", "Send 5 ETH to {A}."],
    ["The shop only takes DAI, my niece says. Send 5 DAI to {A}.", "Send 5 DAI to {A}."],
    ["The landlord hates cash, and my bank blocked the card. Send 5 ETH to {A}.", "Send 5 ETH to {A}."],
    ["Send zero point zero five ETH to {A}.", "Send 0.05 ETH to {A}."],
    ["Pay {A} eighty (80) USDC.", "Send 80 USDC to {A}."],
    ["Send 5 USDC to {A}, ref TRS-2291, loan 88-C.", "Send 5 USDC to {A}."],
    ["Pay the designer 640 USDT on eth: {A}.", "Send 640 USDT to {A} on ethereum."],
    ["Invoice no.: 2231\nWhy: the windows\nPlease send 5 ETH to {A}.", "Send 5 ETH to {A}."],
    ["How much: 0.4\nToken: ETH\nTo: {A}", "Send 0.4 ETH to {A}."],
    ["Wrap 1.2 ETH into WETH for me please, mainnet.", "Wrap 1.2 ETH on mainnet."],
    ["Please convert 4 ETH to WETH.", "Wrap 4 ETH."],
    ["Unwrap six WETH (6 WETH) into ETH.", "Unwrap 6 WETH."],
    [
      "Swap 1,000 USDC for WETH on Uniswap v3 (0.05% pool). I want at least 0.31 WETH.",
      "Swap 1000 USDC for at least 0.31 WETH on uniswap v3 using the 0.05% pool.",
    ],
  ])("%s", (text, asks) => {
    expect(asksFor(text)).toBe(asks);
  });
});

describe("values that do not fit one act are not read", () => {
  test.each([
    ["two recipients", "Send 5 ETH to {A} and {B}"],
    ["a second recipient without an address", "Pay 50 USDC to the plumber and {A}"],
    ["two amounts", "Send 5 ETH or 6 ETH to {A}"],
    ["two networks", "Send 5 ETH to {A} on Base, not on Ethereum"],
    ["money that comes", "Collect 5 ETH from {A}"],
    ["an address that pays", "Send 5 ETH from {A}"],
    ["a share of the amount", "Send half of 5 ETH to {A}"],
    ["an amount for each", "Send 5 ETH each to {A}"],
    ["a bound", "Let {A} spend up to 50 DAI"],
    ["an expiry", "Approve 100 USDC for {A} for 30 days"],
    ["a payment that is authorised", "Authorise a payment of 5 USDC to {A}"],
    ["a second asset", "Send 5 ETH to {A}. In USDC."],
    ["a swap without a minimum", "Swap 5 USDC for WETH on Uniswap v3"],
    ["an amount with two readings", "Sende 1.500 ETH an {A}"],
    ["dollars", "Send $5 of ETH to {A}"],
    ["an ENS name", "Send 5 ETH to bob.eth"],
    ["a quotation", 'Send 5 ETH to {A}. "We called the whole thing off."'],
    ["a part of the amount", "Send 5 ETH / 2 to {A}"],
    ["a difference", "Send 5 ETH - 1 to {A}"],
    ["a sum", "Send 5 ETH + gas to {A}"],
    ["more than the amount", "Send 5 ETH and the fees to {A}"],
    ["an amount per week", "Send 5 ETH/week to {A}"],
    ["a picture that refuses", "Send 5 ETH to {A} ❌"],
    ["a question without its mark", "is 5 ETH to {A} a taxable event for me"],
    ["the same in German", "ist eine Zahlung von 5 ETH an {A} ein Problem"],
    ["a source", "From: {A}\nAmount: 5 USDC"],
    ["two figures that differ", "Pay {A} eighty (90) USDC"],
    ["such a picture on its own", "Send 5 ETH to {A}. 🚫"],
  ])("%s", (_, text) => {
    expect(asksFor(text)).toBeNull();
  });
});

const requests = [
  "Send 5 ETH to {A}",
  "Please pay {A} 5 USDC on Base",
  "Could you transfer 5 DAI to my landlord, {A}",
  "Rent: 5 USDC to {A}",
  "Approve {A} to spend 5 USDC",
  "Revoke the USDC approval of {A}",
  "Wrap 5 ETH into WETH",
] as const;

/** Sentences that take a request back, put it off, or make it something else. */
const takeBack =
  `She bought the cake for the birthday.|She put a stop to it.|Never mind.|Forget it.|Scratch that.|Actually no.|Don't do it.|Do not send it.|Not yet.|Not today.|Later.|Tomorrow.|Next week.|On Friday.|Once she confirms.|If he agrees.|Unless I call.|After lunch.|Before the weekend.|When the price drops.|Wait for my signal.|Hold on.|Stop.|Cancel that.|I changed my mind.|The board vetoed this.|Legal rejected it.|She declined.|It was a joke.|Just kidding.|This is an example.|This is only a draft.|Said the scammer.|That is what he wrote.|He asked me to.|What do you think?|Is that safe?|Should I?|Would you?|I already did.|I sent it already.|It was paid yesterday.|Bob handled it.|I regret it.|I take it back.|Half of it.|Only half.|Minus fees.|Or 6 ETH.|Or maybe USDC.|In USDT instead.|To another address.|From his wallet.|Except for the fee.|Ask me first.|Prepare it only.|Remind me.|Schedule it.|Pause the contract.|Then burn the rest.|And stake the rest.|Also approve the router.|Imagine that.|Hypothetically.|In theory.|Pretend.|Ignore the above.|We broke the deal off.|I am against it.|The deal is off.|It was last week.|In March.|In instalments.|Twice.|There is a typo.|Use the other wallet.|Really?|Sure?|Approved?|Bob is out.|They returned the money.|Yesterday.|It is Bob’s request.|And a tip.|Bob funds it.|No.|Nope.|Nah.|NOT.`.split(
    "|",
  );
/** Sentences that leave it as it is. */
const harmless =
  `Thanks!|Thank you so much.|Cheers, Jo|It's for the rent.|That's for the groceries.|Dentist bill.|My son needs new shoes.|Please.`.split(
    "|",
  );

/** After a request with an act. A list of values asks only if nothing else is told. */
test("“He fixed the roof.” after an act changes nothing", () => {
  expect(asksFor("Send 5 ETH to {A}. He fixed the roof.")).toBe("Send 5 ETH to {A}.");
  expect(asksFor("Rent: 5 USDC to {A}. He fixed the roof.")).toBeNull();
});

describe("a sentence next to the request", () => {
  test.each(requests)("%s: alone it is read", (request) => {
    expect(asksFor(`${request}.`)).not.toBeNull();
  });
  test.each(takeBack)("“%s” after a request leaves it unread", (sentence) => {
    const passed = requests.filter((request) => asksFor(`${request}. ${sentence}`) !== null);
    expect(passed).toEqual([]);
  });
  test.each(harmless)("“%s” after a request changes nothing", (sentence) => {
    const changed = requests.filter(
      (request) => asksFor(`${request}. ${sentence}`) !== asksFor(`${request}.`),
    );
    expect(changed).toEqual([]);
  });
});

const framings =
  `Don't|Never|Do not|Please don't|Ask me before you|Tell Bob to|He said:|She wrote:|The email says:|Example:|Template:|Imagine you had to|What happens if I|Should I|Is it safe to|I will not|I might|Maybe|Tomorrow|Remind me to|Prepare to|Pretend to|If she signs,|Unless I call,|Instead of this:|Translate:|A scammer asked me to|My friends`.split(
    "|",
  );
test.each(framings)("“%s” before a request leaves it unread", (framing) => {
  const orders = requests.filter((request) => /^(?:Send|Approve|Revoke|Wrap)/.test(request));
  const lower = orders.map((request) => request.replace(/^[A-Z]/, (letter) => letter.toLowerCase()));
  expect(lower.filter((request) => asksFor(`${framing} ${request}.`) !== null)).toEqual([]);
});

/** Sentences before a request that make it a quotation, a story or a rule, or speak about the request or its values. */
const announcements =
  `In a perfect world.|Imagined only.|Gotcha!|Barring the surcharge.|The payment was cancelled.|It was yesterday.|That was yesterday.|The wallet is blocked.|The address expired.|The account vanished.|The amount is too expensive.|The invoice was cancelled.|My horoscope was strange.|The voice in my head was loud.|The actor cleared his throat.|The teacher would write on the board.|The hero looks at the screen.|In the film the boss looks at the screen.|A parrot learned this yesterday.|The witness was in court yesterday.|The scammers called yesterday.|My plan was cancelled.|He told me.|She asked me yesterday.|I read this.|I wrote that yesterday.|If Bob cancelled.|Bob cancelled, unless he lied.|You cancelled.|The rule is old.|Yesterday.|Cancelled.|Too late.|In March.|Limit: 3.|Share: 50.|My wife says we should wait.|I said I would never pay.|He told me this was it.|Dave told me I need to copy.|My friend suggested we ask the bank.|He wrote the contract is void.|We pay in stages.|The limit was 3.|Base is down.|My USDC stays here.|I keep my ETH.|My ETH is staked until May.`.split(
    "|",
  );
test.each(announcements)("“%s” before a request leaves it unread", (sentence) => {
  expect(requests.filter((request) => asksFor(`${sentence} ${request}.`) !== null)).toEqual([]);
});

test("unknown words next to a request leave it unread", () => {
  const word = fc.stringMatching(/^[bcdfgjkqvwxz]{4,9}$/);
  fc.assert(
    fc.property(fc.constantFrom(...requests), word, word, (request, one, two) => {
      expect(asksFor(`${request}. ${one} ${two}.`)).toBeNull();
      expect(asksFor(`${one} ${request}.`)).toBeNull();
    }),
    { numRuns: sizeOf({ part: 50, all: 2_000 }) },
  );
});

test("a canonical sentence is read as itself", () => {
  const amount = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.nat({ max: 6 }));
  fc.assert(
    fc.property(amount, fc.constantFrom("ETH", "USDC", "DAI"), ([digits, scale], asset) => {
      const text = digits.toString().padStart(scale + 1, "0");
      const number =
        scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`.replace(/\.?0+$/, "");
      const sentence = `Send ${number} ${asset} to {A}.`;
      expect(asksFor(sentence)).toBe(sentence);
    }),
    { numRuns: sizeOf({ part: 50, all: 2_000 }) },
  );
});

test("every character but spaces belongs to a token", () => {
  const piece = fc.constantFrom(
    "send",
    "5",
    "ETH",
    A,
    "to",
    ",",
    "please",
    "bob",
    "on",
    "Base",
    "(",
    ")",
    "-",
    "not",
    "half",
    "2 %",
    "no.",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join(" ");
      const tokens = tokensOf(text, itemsIn(text).items, lexicon);
      if (tokens === null) return;
      const covered = new Set(
        tokens.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
      );
      expect(text.split("").filter((char, at) => char !== " " && !covered.has(at))).toEqual([]);
    }),
    { numRuns: sizeOf({ part: 100, all: 5_000 }) },
  );
});

test("a place in the sentence is given as the place in the text", () => {
  const text = `Rent, please: 5 USDC to ${A}`;
  const core = coreOf(text);
  if (!("parts" in core)) throw new Error("not read");
  const sentence = textOf(core.parts);
  const at = sentence.indexOf("5 USDC");
  const placed = placeBack({ span: [at, at + 6] as const }, core.parts, core.asked);
  expect(text.slice(...placed.span)).toBe("5 USDC");
});
