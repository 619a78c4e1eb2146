/** Where a party belongs: recipient, spender, source, beneficiary, or the token an address stands for. */
import type { AssetRef, PartyRef, Portion } from "../intent.ts";
import { isAuthority, isTrade, slotOf, type Draft, type Filling } from "./drafts.ts";
import type { Event } from "./events.ts";

type PartyEvent = Event & { k: "party" };

/** An address where an asset belongs: "swap 1 ETH for 0x6982…". */
const TOKEN_KEYS = /^key:(?:token|gives|gets|nft)$/;

const lacksAsset = (list: readonly Portion[]): boolean => list.every((one) => one.asset === null);

/** The side of a trade that an address is on, if that side has no asset yet. */
const sideOf = ({ draft, getsObject }: Filling, prep: string | null): Portion[] | null => {
  const [object, other] = getsObject ? [draft.gets, draft.gives] : [draft.gives, draft.gets];
  if (prep === null) return lacksAsset(object) ? object : null;
  const across = /^(?:for|into|with)$/.test(prep) || (prep === "to" && !getsObject);
  return across && lacksAsset(other) && draft.acts[0] === "swap" ? other : null;
};

const listFor = (filling: Filling, prep: string | null): Portion[] | null => {
  const { draft } = filling;
  if (prep === "key:gets") return draft.gets;
  if (TOKEN_KEYS.test(prep ?? "")) return draft.gives;
  if (isTrade(draft.acts)) return sideOf(filling, prep);
  return isAuthority(draft.acts) && prep === "of" ? draft.gives : null;
};

const asAsset = (filling: Filling, event: PartyEvent): boolean => {
  if (event.party.kind !== "address" || event.prep === "key:to") return false;
  const list = listFor(filling, event.prep);
  return (
    list !== null &&
    putAsset(list, { kind: "address", address: event.party.address, span: event.party.span }, event)
  );
};

const putAsset = (list: Portion[], asset: AssetRef, event: Event): boolean => {
  const last = list.at(-1);
  // "3 of token id 7, contract 0x…": the collection behind the number.
  if (last?.asset?.kind === "nft" && last.asset.collection === null && asset.kind === "address")
    list[list.length - 1] = { ...last, asset: { ...last.asset, collection: asset.address } };
  else if (last?.asset === null) list[list.length - 1] = { asset, quantity: last.quantity };
  else list.push({ asset, quantity: null });
  slotOf(event, "asset");
  return true;
};

/** "sign a Permit2 transfer letting Ann take 5 USDC": it only says by which way. */
const isWay = (party: PartyRef): boolean => party.kind === "venue" && party.venue === "permit2";

const yields = (spender: PartyRef, { party, listed }: PartyEvent): boolean => {
  const vaguer = spender.kind === "contact" || (spender.kind === "venue" && !listed);
  return isWay(spender) || (vaguer && party.kind !== "contact");
};

const addSpender = ({ draft }: Filling, event: PartyEvent): void => {
  const { party } = event;
  if (party.kind === "self") return;
  if (draft.spender === null || yields(draft.spender, event)) draft.spender = party;
  else if (party.kind === "contact") return;
  else draft.to.push(party);
  slotOf(event, "spender");
};

const isExact = (party: PartyRef): boolean => party.kind === "address" || party.kind === "name";

const calledOf = (party: PartyRef | undefined): { readonly called?: string } => {
  if (party?.kind === "contact") return { called: party.label };
  return party?.kind === "name" ? { called: party.name } : {};
};

const sharpen = (draft: Draft, party: PartyRef): void => {
  const called = calledOf(draft.to.at(-1));
  draft.to[draft.to.length - 1] = party.kind === "address" ? { ...party, ...called } : party;
};

const isSame = (a: PartyRef, b: PartyRef): boolean =>
  a.kind === "address" && b.kind === "address" && a.address === b.address;

const isFurther = (last: PartyRef, { party, listed, aside, items }: PartyEvent): boolean =>
  listed &&
  items[0]?.k === "contact" &&
  !aside &&
  last.kind === "contact" &&
  party.kind === "contact" &&
  /^\p{Lu}/u.test(party.label) &&
  last.label !== party.label;

const APPOSED = 24;

/** "to my accountant, 0x…", "to the tenant, address 0x…": a comma and the address of the one just named. */
const isApposed = (draft: Draft, last: PartyRef, { at, link }: PartyEvent): boolean =>
  draft.to.length === 1 &&
  link === "," &&
  last.kind === "contact" &&
  /^\p{Ll}/u.test(last.label) &&
  at - last.span[1] <= APPOSED;

/** Whether a party only says again, or more exactly, who the last one is: "Bob (0xabc…)", "bob.eth (0xabc…)". */
const replaces = (draft: Draft, event: PartyEvent): boolean => {
  const last = draft.to.at(-1);
  const { party } = event;
  if (last === undefined) return false;
  // "Ann, Bob and Li Wei": a further name in a list is a further person.
  if (!isExact(party)) return !isFurther(last, event);
  if (!isExact(last)) {
    if (event.listed && !event.aside && !isApposed(draft, last, event)) return false;
    sharpen(draft, party);
    return true;
  }
  if (!event.aside || last.kind === party.kind) return isSame(last, party);
  if (party.kind === "address") sharpen(draft, party);
  else if (last.kind === "address") draft.to[draft.to.length - 1] = { ...last, ...calledOf(party) };
  return true;
};

const addRecipient = ({ draft }: Filling, event: PartyEvent): void => {
  slotOf(event, "to");
  if (!replaces(draft, event)) draft.to.push(event.party);
};

const BRACKET = 14;

/** "Milady #12 to Bob (0x…)": then the brackets are about Bob. */
const isSomebodyAfter = ({ to, spender, from }: Draft, start: number): boolean =>
  [...to, spender, from].some((party) => party !== null && party.span[0] > start);

/** "my Milady collection (0x…)": the address in brackets says which collection it is. */
const asCollection = (draft: Draft, event: PartyEvent): boolean => {
  const last = draft.gives.at(-1);
  const { party, aside, at } = event;
  if (!aside || party.kind !== "address" || last?.asset?.kind !== "nft") return false;
  if (event.prep?.startsWith("key:") === true) return false;
  const { asset } = last;
  if (at - asset.span[1] > BRACKET || isSomebodyAfter(draft, asset.span[0])) return false;
  draft.gives[draft.gives.length - 1] = { ...last, asset: { ...asset, collection: party.address } };
  slotOf(event, "asset");
  return true;
};

/** "un permit a favor de 0x…": a permission in a party's favour is theirs to use. */
const FAVOURS = /favor|faveur|gunsten|benefit/;

const isBeneficiary = (draft: Draft, { party, prep, word }: PartyEvent): boolean =>
  (prep === "behalf" && !(isAuthority(draft.acts) && FAVOURS.test(word))) ||
  (prep === "for" && draft.acts[0] !== "transfer" && !isAuthority(draft.acts) && party.kind !== "contact");

/** "from Safe 0x… approve": the owner of the allowance. A revocation takes it from the party that had it. */
const isSource = ({ acts }: Draft, { prep, word }: PartyEvent): boolean =>
  prep === "key:from" || (prep === "from" && acts[0] === "approve" && SOURCES.test(word));
const SOURCES = /^(?:from|out of|desde|depuis|aus|vom|从|自|由)$/;

const placeParty = (filling: Filling, event: PartyEvent): void => {
  const { draft } = filling;
  const { party, prep } = event;
  if (draft.acts[0] === "admin") addAdmin(draft, event);
  else if (isBeneficiary(draft, event)) setOne(draft, "onBehalfOf", event);
  else if (prep === "key:spender" || (isAuthority(draft.acts) && !isSource(draft, event)))
    addSpender(filling, event);
  else if (prep === "from" || prep === "key:from") setFrom(draft, event);
  // An address after "on" or "via" is a contract to go through: it fills no slot, and the transaction must touch it.
  else if (draft.acts[0] === "transfer" || !(prep === "on" && party.kind === "address"))
    addRecipient(filling, event);
};

/** "USDC (0x…)": identifies the token's contract. It fills no slot: the transaction must touch it. */
const isTokenAside = ({ gives }: Draft, { party, aside, listed, at, prep }: PartyEvent): boolean => {
  const last = gives.at(-1)?.asset;
  const near = last?.kind === "symbol" && at - last.span[1] <= TOKEN_GAP && at > last.span[1];
  return aside && !listed && party.kind === "address" && near && prep !== "key:to";
};
const TOKEN_GAP = 3;

export const addParty = (filling: Filling, event: PartyEvent): void => {
  if (isTokenAside(filling.draft, event)) return;
  if (asAsset(filling, event) || asCollection(filling.draft, event)) return;
  placeParty(filling, event);
};

const setOne = (draft: Draft, slot: "onBehalfOf", event: PartyEvent): void => {
  draft[slot] = event.party;
  slotOf(event, slot);
};

const setFrom = (draft: Draft, event: PartyEvent): void => {
  const { party } = event;
  const minted = draft.acts[0] === "mint" || draft.acts.includes("buy_nft");
  const got = draft.gets[0];
  if (minted && party.kind === "address" && got?.asset?.kind === "class") {
    const asset: AssetRef = { kind: "nft", collection: party.address, ids: [], span: party.span };
    draft.gets[0] = { asset, quantity: got.quantity };
    slotOf(event, "gets");
    return;
  }
  slotOf(event, "from");
  if (party.kind !== "self") draft.from = party;
};

const addAdmin = (draft: Draft, event: PartyEvent): void => {
  const said = draft.admin;
  slotOf(event, "admin");
  if (said === null || event.party.kind === "self") return;
  // "transfer ownership of 0xcontract to 0xnew": the party is the new one; the contract is what it is done to.
  if (/^(?:of|on|from|in)$/.test(event.prep ?? "")) draft.from ??= event.party;
  else if (said.party === null || event.prep === "to") draft.admin = { ...said, party: event.party };
  else draft.to.push(event.party);
};
