/** Seaport orders as they are signed: alone, or many at once in a tree. */
import type { TypedData } from "../../proposal.ts";
import type { Draft, ProtocolTypedData } from "../../protocol.ts";
import { feedsWhen } from "../../uses.ts";
import { signedOrder } from "./seaport-orders.ts";
import type { Item, Order } from "./seaport-items.ts";
import { componentUses } from "./seaport-uses.ts";
import { addressAt, integerAt, listAt, type Fields } from "./signed-fields.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

const MOST_ORDERS = 128;

const item = (fields: Fields, at: string): Item => ({
  itemType: Number(integerAt(fields, "itemType")),
  token: addressAt(fields, "token"),
  identifierOrCriteria: integerAt(fields, "identifierOrCriteria"),
  startAmount: integerAt(fields, "startAmount"),
  endAmount: integerAt(fields, "endAmount"),
  at,
});

const order = (fields: Fields, at: string): Order => ({
  offerer: addressAt(fields, "offerer"),
  offer: listAt(fields, "offer").map((each, index) => item(each, `${at}.offer[${index}]`)),
  consideration: listAt(fields, "consideration").map((each, index) => ({
    ...item(each, `${at}.consideration[${index}]`),
    recipient: addressAt(each, "recipient"),
  })),
  orderType: Number(integerAt(fields, "orderType")),
  endTime: integerAt(fields, "endTime"),
  part: [1n, 1n],
});

const read = (fields: Fields, at: string): Draft =>
  signedOrder(order(fields, at), integerAt(fields, "counter"));

/** A tree is padded with empty orders to the next power of two. */
const isFiller = (fields: Fields): boolean =>
  addressAt(fields, "offerer") === ZERO_ADDRESS && listAt(fields, "offer").length === 0;

const leaves = (tree: unknown, at: string, found: { fields: Fields; at: string }[]): void => {
  if (Array.isArray(tree)) {
    for (const [index, branch] of tree.entries()) leaves(branch, `${at}[${index}]`, found);
    return;
  }
  if (typeof tree !== "object" || tree === null || found.length >= MOST_ORDERS)
    throw new Error("not a tree of orders");
  found.push({ fields: tree as Fields, at });
};

const readTree = (data: TypedData): readonly Draft[] => {
  const found: { fields: Fields; at: string }[] = [];
  leaves(data.message["tree"], "message.tree", found);
  const drafts = found.filter(({ fields }) => !isFiller(fields)).map(({ fields, at }) => read(fields, at));
  if (drafts.length === 0) throw new Error("no order in the tree");
  return drafts;
};

const bulkUses = {
  tree: {
    ...componentUses,
    endTime: feedsWhen("deadline", "the order is not an empty one that fills the tree"),
  },
};

export const seaportMessages: readonly ProtocolTypedData[] = [
  {
    primaryType: "OrderComponents",
    on: ["seaport"],
    members: ["offerer", "offer", "consideration", "orderType", "endTime", "counter"],
    uses: componentUses,
    read: (data) => read(data.message, "message"),
  },
  { primaryType: "BulkOrder", on: ["seaport"], members: ["tree"], uses: bulkUses, read: readTree },
];
