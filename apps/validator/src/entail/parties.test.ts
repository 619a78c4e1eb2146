/** Whether a party in the transaction is the one that the request names. */
import { describe, expect, test } from "vitest";
import type { Party } from "../effects.ts";
import type { PartyRef, Span } from "../intent.ts";
import type { Address, Context } from "../proposal.ts";
import { addressOf, isLabelled, matchParty, throughPermit2 } from "./parties.ts";
import { aWorld, address, bob, mallory, me, router, usdc } from "../../test/entail.ts";
import type { World } from "./world.ts";

const span: Span = [0, 1];
/** One hex digit away. */
const almostBob: Address = "0x2222222222222222222222222222222222222223";
const safe: Address = "0x8888888888888888888888888888888888888888";
const name = (text: string, normalised = true): PartyRef => ({ kind: "name", name: text, normalised, span });
const contact = (label: string): PartyRef => ({ kind: "contact", label, span });
const self: PartyRef = { kind: "self", span };

const labelled = (...known: readonly (readonly [Address, string | null])[]): Partial<Context> => ({
  known: known.map(([of, label]) => ({ address: of, label })),
});
const resolved = (...names: readonly (readonly [string, Address])[]): Partial<Context> => ({
  names: new Map(names),
});
const acting = (
  actor: Address | null,
  accounts?: readonly Address[],
  context: Partial<Context> = {},
): World => {
  const world = aWorld([], [], { context });
  return {
    ...world,
    proposal: { ...world.proposal, actor },
    reading: { ...world.reading, ...(accounts === undefined ? {} : { accounts }) },
  };
};

describe("the owner", () => {
  test.each<[Party, Address | null, string]>([
    ["self", me, "same"],
    [me, me, "same"],
    [bob, me, "differs"],
    ["venue", me, "differs"],
    ["self", null, "same"],
    [me, null, "differs"],
  ])("is %s if %s acts: %s", (party, actor, outcome) => {
    expect(matchParty(party, self, acting(actor))).toEqual({
      outcome,
      confidence: 1,
      named: false,
      why: "",
    });
  });
  test("is the same with two accounts", () => {
    expect(matchParty("self", self, acting(me, [safe, bob])).outcome).toBe("same");
  });
});

describe("an address", () => {
  test.each<[string, Party, Address, World, string]>([
    ["is itself", bob, bob, acting(me), "same"],
    ["is not one with another last digit", almostBob, bob, acting(me), "differs"],
    ["may be the owner's own", "self", me, acting(me), "same"],
    ["is not the owner's if it is another's", "self", bob, acting(me), "differs"],
    ["is not the owner's if the caller does not send who acts", "self", me, acting(null), "differs"],
    ["may be the one account that the owner acts through", "self", safe, acting(me, [safe]), "same"],
    ["may be that account if the owner's address benefits", me, safe, acting(me, [safe]), "same"],
    ["is not one of two accounts", "self", safe, acting(me, [safe, bob]), "differs"],
    ["is the owner's with two accounts too", "self", me, acting(me, [safe, bob]), "same"],
    ["is not another party's for being the account", bob, safe, acting(me, [safe]), "differs"],
    ["is not an account that does not exist", "self", safe, acting(me, []), "differs"],
    ["is never the called contract", "venue", me, acting(me), "differs"],
  ])("%s", (...[, party, said, world, outcome]) => {
    expect(matchParty(party, address(said), world)).toEqual({
      outcome,
      confidence: 1,
      named: false,
      why: "",
    });
  });
  const called = (label: string): PartyRef => ({ kind: "address", address: bob, called: label, span });
  test.each<[string, PartyRef, Partial<Context>, string]>([
    ["an unknown name", called("Bob"), {}, "same"],
    ["the name it is known by", called("Bob"), labelled([bob, "Bob"]), "same"],
    ["the name of another address", called("Bob"), labelled([almostBob, "Bob"]), "differs"],
    [
      "a name of two addresses, one of them this",
      called("Bob"),
      labelled([almostBob, "Bob"], [bob, "bob"]),
      "same",
    ],
    ["a name without letters", called("!"), labelled([almostBob, "?"]), "same"],
  ])("next to %s", (_, said, context, outcome) => {
    expect(matchParty(bob, said, acting(me, [], context)).outcome).toBe(outcome);
  });
});

describe("a name or contact", () => {
  test.each<[string, PartyRef, Partial<Context>, string]>([
    ["a resolved name", name("bob.eth"), resolved(["bob.eth", bob]), "same"],
    ["a name resolved to another address", name("bob.eth"), resolved(["bob.eth", almostBob]), "differs"],
    ["a name that differs in one letter", name("bob.eth"), resolved(["bop.eth", bob]), "cannot_tell"],
    ["a name without its dot", name("bob.eth"), resolved(["bobeth", bob]), "cannot_tell"],
    ["a name that is not resolved", name("bob.eth"), {}, "cannot_tell"],
    ["a name that is not normalised", name("bob.eth", false), resolved(["bob.eth", bob]), "differs"],
    ["a label", contact("Bob"), labelled([bob, "Bob"]), "same"],
    ["a label in other case", contact("BOB"), labelled([bob, "bob"]), "same"],
    ["a label with an article", contact("the Treasury"), labelled([bob, "treasury"]), "same"],
    ["a label with “my”", contact("my  vault"), labelled([bob, "Vault"]), "same"],
    ["a label with “our”", contact("our vault"), labelled([bob, "Our vault"]), "same"],
    [
      "a label with an article in the middle",
      contact("over the hill"),
      labelled([bob, "over hill"]),
      "cannot_tell",
    ],
    ["a label that starts like an article", contact("Theo"), labelled([bob, "o"]), "cannot_tell"],
    ["a label with signs and spaces", contact("Bob's wallet"), labelled([bob, "bobs-wallet"]), "same"],
    ["a label with another number", contact("wallet 2"), labelled([bob, "wallet 3"]), "cannot_tell"],
    ["a label in another script", contact("Боб"), labelled([bob, "боб"]), "same"],
    ["a label in another script that differs", contact("Боб"), labelled([bob, "баб"]), "cannot_tell"],
    ["a label of another address", contact("Bob"), labelled([almostBob, "Bob"]), "differs"],
    ["an address without a label", contact("Bob"), labelled([bob, null]), "cannot_tell"],
    ["a label of two addresses", contact("Bob"), labelled([bob, "Bob"], [almostBob, "Bob"]), "cannot_tell"],
    ["a label given twice for one address", contact("Bob"), labelled([bob, "Bob"], [bob, "bob"]), "same"],
    ["a contact that a name resolves", contact("bob.eth"), resolved(["bob.eth", bob]), "same"],
    [
      "a label and a name that disagree",
      contact("bob.eth"),
      { ...resolved(["bob.eth", bob]), ...labelled([almostBob, "bob.eth"]) },
      "cannot_tell",
    ],
    ["a label without letters", contact("!"), labelled([bob, "?"]), "cannot_tell"],
  ])("%s", (_, said, context, outcome) => {
    const match = matchParty(bob, said, acting(me, [], context));
    expect(match).toMatchObject({ outcome, named: true });
    expect(match.confidence).toBe(outcome === "same" ? 0.95 : match.why === "" ? 0.95 : 1);
  });
  test.each<[string, PartyRef, Partial<Context>, string]>([
    ["unknown", contact("Bob"), {}, "no address was sent for Bob (metadata.known_addresses)"],
    ["ambiguous", contact("Bob"), labelled([bob, "Bob"], [me, "Bob"]), "Bob means 2 addresses"],
    [
      "not normalised",
      name("Bob.eth", false),
      {},
      "Bob.eth is not in the normalised form of the name service",
    ],
    ["known", contact("Bob"), labelled([bob, "Bob"]), ""],
  ])("reports why it is %s", (_, said, context, why) => {
    expect(matchParty(bob, said, acting(me, [], context)).why).toBe(why);
  });
  test.each<[string, Party, World, string]>([
    ["the owner by label", "self", acting(me, [], labelled([me, "Bob"])), "same"],
    ["the account by label", "self", acting(me, [safe], labelled([safe, "Bob"])), "same"],
    ["another address by label", "self", acting(me, [], labelled([bob, "Bob"])), "differs"],
    ["the owner's label for an unknown address", mallory, acting(me, [], labelled([me, "Bob"])), "differs"],
  ])("may be %s", (_, party, world, outcome) => {
    expect(matchParty(party, contact("Bob"), world).outcome).toBe(outcome);
  });
});

describe("the address that a request gives for a party", () => {
  const context = {
    ...labelled([bob, "Bob"], [me, "Ann"], [safe, "Ann"]),
    ...resolved(["bob.eth", mallory]),
  };
  test.each<[string, PartyRef, Address | null]>([
    ["an address", address(usdc), usdc],
    ["a label", contact("Bob"), bob],
    ["a name", name("bob.eth"), mallory],
    ["a label of two addresses", contact("Ann"), null],
    ["an unknown label", contact("Bo"), null],
    ["the owner", self, null],
    ["a venue", { kind: "venue", venue: "bob", span }, null],
  ])("%s", (_, party, expected) => {
    expect(addressOf(party, aWorld([], [], { context }))).toBe(expected);
  });
  test.each<[string, PartyRef, boolean]>([
    ["a known label", contact("Bob"), true],
    ["a label of two addresses", contact("Ann"), true],
    ["an unknown label", contact("Bo"), false],
    ["a resolved name", name("bob.eth"), false],
    ["an address", address(bob), false],
  ])("isLabelled: %s", (_, party, expected) => {
    expect(isLabelled(party, aWorld([], [], { context }))).toBe(expected);
  });
});

describe("a venue", () => {
  const venue = (of: string): PartyRef => ({ kind: "venue", venue: of, span });
  const permit2: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3";
  const shared: Address = "0x000000000022d473030f116ddee9f6b43ac78ba4";
  const world = (): World => {
    const found = aWorld([], []);
    const protocols: World["protocols"] = {
      ...found.protocols,
      at: (chain, of) =>
        of === permit2
          ? [{ protocol: "permit2", role: "" }]
          : of === shared
            ? ["cow", "permit2"].map((protocol) => ({ protocol, role: "" }))
            : found.protocols.at(chain, of),
    };
    return { ...found, protocols };
  };
  test.each<[string, Party, string, string, number]>([
    ["its own contract", router, "uniswap_v3", "same", 1],
    ["a contract of its family", router, "uniswap", "same", 1],
    ["a contract of another version", router, "uniswap_v2", "differs", 0.85],
    ["an unknown contract", mallory, "uniswap", "differs", 0.85],
    ["an unknown contract for a venue that uses Permit2", mallory, "universal_router", "differs", 0.85],
    ["the owner", "self", "uniswap", "differs", 1],
    ["the called contract", "venue", "uniswap", "differs", 1],
    ["Permit2 for a venue that uses it", permit2, "universal_router", "same", 0.85],
    ["Permit2 for UniswapX", permit2, "uniswapx", "same", 0.85],
    ["Permit2 for 0x", permit2, "zerox", "same", 0.85],
    ["Permit2 for a venue that does not use it", permit2, "aave", "differs", 0.85],
    ["a router for a venue that uses Permit2", router, "universal_router", "differs", 0.85],
    ["Permit2 that another protocol uses too", shared, "zerox", "same", 0.85],
    ["Permit2 itself", permit2, "permit2", "same", 1],
  ])("is %s", (...[, party, said, outcome, confidence]) => {
    expect(matchParty(party, venue(said), world())).toEqual({ outcome, confidence, named: false, why: "" });
  });
  test("takes tokens through Permit2 in three families", () => {
    expect(throughPermit2).toEqual(["universal_router", "uniswapx", "zerox"]);
  });
});
