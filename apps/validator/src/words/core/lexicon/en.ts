/** English. */
import { makeGrammar } from "../grammar.ts";

/** English endings. A stem that is no word matches nothing. */
const stemsOf = (word: string): readonly string[] => [
  word,
  word.replace(/s$/, ""),
  word.replace(/es$/, ""),
  word.replace(/ies$/, "y"),
  word.replace(/e?d$/, ""),
  word.replace(/d$/, ""),
  word.replace(/ied$/, "y"),
  word.replace(/(.)\1(?:ed|ing)$/, "$1"),
  word.replace(/ing$/, ""),
  word.replace(/ing$/, "e"),
];

const list = (text: string): readonly string[] => text.split(" ");
const all = (...groups: readonly (readonly string[])[]): string => groups.flat().join(", ");
const pairs = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`));

/** Ask only if no person is named before them: "need to send" is a request, "they need to send" is not. */
const begins =
  "need to, want to, wanna, gotta, looking to, ready to, remember to, make sure to, be sure to, don't forget to, do not forget to, go and, time to".split(
    ", ",
  );
const orders =
  "send, send over, send out, pay, pay out, pay back, transfer, wire, move, forward, tip, donate, give, refund, reimburse, repay, settle, return, top up, fund, get, shift, release, put".split(
    ", ",
  );
const months = list("january february march april may june july august september october november december");
/** "My half of the dinner": says what is paid, not which part of the amount. */
const bought = [
  ...list(
    "bill rent groceries shopping dinner lunch breakfast brunch meal food pizza tickets ticket taxi cab uber ride trip holiday vacation hotel airbnb cabin flat apartment house room boat car van petrol fuel electricity internet wifi utilities phone gift present cake party drinks beer wine coffee snacks concert show festival museum flight flights train bus ferry parking fee fees cost costs expenses invoice booking rental subscription netflix membership course class lessons furniture sofa fridge washing barbecue bbq camping tent ski pass",
  ),
  ..."concert tickets, train tickets, plane tickets, bus tickets, cinema tickets, dinner bill, restaurant bill, phone bill, electricity bill, hotel bill, hotel room, birthday present, birthday gift, wedding gift, wedding present, birthday cake, taxi ride, cab ride, road trip, ski trip, ski pass, holiday flat, holiday house, beach house, movie tickets, group gift, vet bill, water bill, gas bill, internet bill, pizza night".split(
    ", ",
  ),
];
const shares = pairs(
  pairs(list("my his her our their"), list("half share part third portion cut bit")),
  pairs(["of the"], bought),
);
const regular = pairs(
  list("monthly weekly yearly annual quarterly fortnightly daily"),
  list(
    "fee fees plan subscription hosting rent wage wages salary retainer dues bill bills membership stipend invoice instalment installment grant grants payroll premium contribution pass ticket maintenance support cleaning",
  ),
);
/** A month says which lessons; on its own it would say when to pay. */
const dated = pairs(
  list(
    "lesson lessons class classes course courses trip dinner lunch party wedding concert show work job session sessions event events conference hackathon weekend retreat tournament race festival holiday visit visits shift shifts stay gig workshop",
  ),
  pairs(["in"], months),
);
/** Things that another person paid for. */
const covered = pairs(
  pairs(["covered", "paid for", "bought", "got", "picked up"], ["my", "our", "the", "everyone's"]),
  list(
    "ticket tickets lunch dinner breakfast brunch taxi cab hotel groceries drinks coffee coffees meal pizza food fuel petrol flight flights fare parking train bus snacks beers round entry entrance shopping medicine vet uber",
  ),
);

export const english = makeGrammar(
  "en",
  {
    pay: all(pairs(begins, orders)),
    approve: all(pairs(begins, list("approve authorize authorise"))),
    revoke: all(pairs(begins, list("revoke cancel remove"))),
    wrap: all(pairs(begins, list("wrap"))),
    unwrap: all(pairs(begins, list("unwrap"))),
    convert: all(pairs(begins, list("convert swap exchange sell trade"))),
    filler: all(dated),
    own: all(shares, regular),
    states: all(covered),
  },
  stemsOf,
);
