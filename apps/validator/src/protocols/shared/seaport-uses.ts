/** The use of each field of a Seaport order, from two sides: its signer, and its fulfiller. */
import { compared, feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";

const ofToken = feedsWhen("asset", "the item is not the native token");
const ofNft = feedsWhen("asset", "the item is an NFT with an id");

const kind = feedsWhen("asset", "it changes the kind of the asset, not only the standard of the NFT");

const item = {
  itemType: kind,
  token: ofToken,
  identifierOrCriteria: ofNft,
  startAmount: feedsAll("amount", "minimum"),
  endAmount: feedsAll("amount", "minimum"),
};

/** Zones can reject, conduits use allowances that they were given, and hashes and counters only have to be right. */
const conditions = {
  zone: inert.restricts,
  startTime: inert.restricts,
  endTime: feeds.deadline,
  zoneHash: inert.restricts,
  salt: inert.replay,
  conduitKey: inert.hint,
};

const whenOwn = "it is not a fee, which the account that accepts a bid pays";
const signed = {
  ...conditions,
  offerer: feeds.payer,
  offer: item,
  consideration: {
    itemType: kind,
    token: ofToken,
    identifierOrCriteria: ofNft,
    startAmount: feedsWhen("minimum", whenOwn),
    endAmount: feedsWhen("minimum", whenOwn),
    recipient: feedsWhen("receiver", whenOwn),
  },
  orderType: feedsWhen("terms", "it changes whether the order may be filled in part"),
};

/** Signed as typed data. */
export const componentUses = { ...signed, counter: inert.replay };

/** Written to the chain by its offerer. */
export const validatedUses = {
  parameters: { ...signed, totalOriginalConsiderationItems: inert.signature },
  signature: inert.signature,
};

const whenSelling = feedsWhen("fee", "the fulfiller sells, and it is paid out of what they get");

/** An order of another account. It decides who is paid; the amounts are compared. */
const fulfilled = {
  ...conditions,
  offerer: inert.signature,
  offer: item,
  consideration: { ...item, recipient: whenSelling },
  orderType: inert.bounded,
  totalOriginalConsiderationItems: inert.signature,
};

export const plainUses = { parameters: fulfilled, signature: inert.signature };

export const advancedUses = {
  ...plainUses,
  numerator: feeds.amount,
  denominator: feeds.amount,
  extraData: inert.bounded,
};

export const resolverUses = {
  orderIndex: feeds.asset,
  side: feeds.asset,
  index: feeds.asset,
  identifier: feeds.asset,
  criteriaProof: inert.signature,
};

const everyOffer = compared("equal", "every offered item, once");
export const availableUses = {
  offerFulfillments: { orderIndex: everyOffer, itemIndex: everyOffer },
  // The call fails unless everything that is asked is paid.
  considerationFulfillments: inert.hint,
  fulfillerConduitKey: inert.hint,
  maximumFulfilled: inert.restricts,
};

export const basicUses = {
  considerationToken: ofToken,
  considerationIdentifier: ofNft,
  considerationAmount: feedsAll("amount", "minimum"),
  offerer: inert.signature,
  zone: inert.restricts,
  offerToken: ofToken,
  offerIdentifier: ofNft,
  offerAmount: feedsAll("amount", "minimum"),
  basicOrderType: feedsWhen("act", "it changes the route, not only who may fulfil the order"),
  startTime: inert.restricts,
  endTime: feeds.deadline,
  zoneHash: inert.restricts,
  salt: inert.replay,
  offererConduitKey: inert.hint,
  fulfillerConduitKey: inert.hint,
  totalOriginalAdditionalRecipients: inert.signature,
  additionalRecipients: { amount: feeds.amount, recipient: whenSelling },
  signature: inert.signature,
};
