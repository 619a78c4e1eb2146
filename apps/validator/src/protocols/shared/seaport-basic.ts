/** The short form of an order: one item for one, with additional payments. */
import type { Address } from "../../proposal.ts";
import type { Asked, Item, Order } from "./seaport-items.ts";

type Basic = {
  readonly considerationToken: Address;
  readonly considerationIdentifier: bigint;
  readonly considerationAmount: bigint;
  readonly offerer: Address;
  readonly offerToken: Address;
  readonly offerIdentifier: bigint;
  readonly offerAmount: bigint;
  readonly basicOrderType: number;
  readonly endTime: bigint;
  readonly additionalRecipients: readonly { readonly amount: bigint; readonly recipient: Address }[];
};

export const basicOrder =
  "(address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature) parameters";

/** Kinds of the requested item, of the offered item, and of the additional payments, by the route. */
const routes: readonly (readonly [asked: number, offered: number, paid: number])[] = [
  [0, 2, 0],
  [0, 3, 0],
  [1, 2, 1],
  [1, 3, 1],
  [2, 1, 1],
  [3, 1, 1],
];

type Piece = {
  readonly kind: number;
  readonly token: Address;
  readonly id: bigint;
  readonly amount: bigint;
  readonly at: string;
};

const item = ({ kind, token, id, amount, at }: Piece): Item => ({
  itemType: kind,
  token,
  identifierOrCriteria: id,
  startAmount: amount,
  endAmount: amount,
  at,
});

/** The same order in the long form. */
export const fromBasic = (basic: Basic): Order => {
  const route = routes[Math.floor(basic.basicOrderType / 4)];
  if (route === undefined) throw new Error("the kind of basic order is not known");
  const [askedKind, offeredKind, paidKind] = route;
  const paidToken = askedKind >= 2 ? basic.offerToken : basic.considerationToken;
  const main: Asked = {
    ...item({
      kind: askedKind,
      token: basic.considerationToken,
      id: basic.considerationIdentifier,
      amount: basic.considerationAmount,
      at: "parameters.considerationAmount",
    }),
    recipient: basic.offerer,
  };
  const others = basic.additionalRecipients.map(({ amount, recipient }, index) => ({
    ...item({
      kind: paidKind,
      token: paidToken,
      id: 0n,
      amount,
      at: `parameters.additionalRecipients[${index}]`,
    }),
    recipient,
  }));
  const offered = item({
    kind: offeredKind,
    token: basic.offerToken,
    id: basic.offerIdentifier,
    amount: basic.offerAmount,
    at: "parameters.offerAmount",
  });
  return {
    offerer: basic.offerer,
    offer: [offered],
    consideration: [main, ...others],
    orderType: basic.basicOrderType % 4,
    endTime: basic.endTime,
    part: [1n, 1n],
  };
};
