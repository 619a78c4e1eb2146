// Reads from the validator's report what a transaction moves. Anything that cannot be counted is marked, never left out.
import { z } from "zod";

/** One effect of a transaction, as far as a mandate looks at it. */
export type Move = {
  readonly act: string;
  /** Those who benefit besides the account, as CAIP-10 ids. */
  readonly parties: readonly string[];
  readonly amounts: readonly {
    readonly asset: string;
    readonly units: bigint;
    readonly decimals: number | null;
  }[];
  /** Why its amount cannot be counted. */
  readonly uncountable: string | null;
  /** The contract is in no table: the effect was measured on a proven state, and the calldata was not read. */
  readonly byEffect?: true;
};

const Units = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .nullable();
const Amount = { units: Units, decimals: z.int().nullable() };
const Asset = { kind: z.string(), address: z.string().optional() };

const Effect = z.object({
  act: z.string(),
  payer: z.string(),
  receiver: z.string().nullable(),
  /** The contract whose function has the effect. */
  target: z.string().nullish(),
  gives: z.array(z.object({ ...Asset, ...Amount })),
  authority: z
    .object({
      spender: z.string(),
      asset: z.object(Asset).nullable(),
      units: Units.optional(),
      decimals: z.int().nullish(),
    })
    .nullable(),
  fees: z.array(z.object({ to: z.string() })),
  to_chain: z.int().nullable(),
  /** How well the meaning of the calldata is known. */
  knowledge: z.string().optional(),
  terms: z.object({
    order: z.boolean().optional(),
    maybeNft: z.boolean().optional(),
    delegatecall: z.string().optional(),
  }),
  admin: z.unknown().optional(),
});
type Effect = z.infer<typeof Effect>;
const Effects = z.array(Effect).min(1);

type Flow = Pick<Effect["gives"][number], "kind" | "address" | "units" | "decimals">;

const flowsOf = ({ gives, authority }: Effect): readonly Flow[] =>
  authority?.asset == null
    ? gives
    : // An allowance is charged in full when it is granted: another account spends it later.
      [
        ...gives,
        { ...authority.asset, units: authority.units ?? null, decimals: authority.decimals ?? null },
      ];

/** Returns the asset as limits name it. Undefined for an asset without amounts, such as an NFT. */
export function assetOf(
  { kind, address }: Pick<Flow, "kind" | "address">,
  chainId: number,
): string | undefined {
  if (kind === "native") return `eip155:${chainId}/native`;
  return kind === "token" && address !== undefined
    ? `eip155:${chainId}/erc20:${address.toLowerCase()}`
    : undefined;
}

/** The call that the account makes. */
type Called = {
  readonly chainId: number;
  readonly value: bigint;
  /** Null if it is not known. */
  readonly to: string | null;
  /** The owner's address, and the account whose money it is. */
  readonly own: readonly string[];
};

/** Whether the account calls the contract itself, or through its own wallet. Another contract may do something else as well. */
const isDirect = ({ target }: Effect, { to, own }: Called): boolean =>
  to !== null && (own.includes(to) || target?.toLowerCase() === to);

function whyUncountable(effect: Effect, called: Called): string | null {
  const { payer, authority, terms, admin } = effect;
  const { chainId } = called;
  if (!isDirect(effect, called)) return "It goes through another contract";
  if (payer !== "self") return "It spends from another account";
  if (admin != null || (authority !== null && authority.asset === null))
    return "It gives another account control";
  if (terms.order === true || terms.maybeNft === true || terms.delegatecall !== undefined)
    return "Its amount is not known";
  if (flowsOf(effect).some((flow) => assetOf(flow, chainId) === undefined))
    return "It moves an asset without an amount";
  return flowsOf(effect).every(({ units }) => units !== null) ? null : "Its amount has no limit";
}

function partiesOf(
  { receiver, authority, fees, to_chain: toChain, gives }: Effect,
  chainId: number,
): readonly string[] {
  const named = [receiver, authority?.spender, ...fees.map(({ to }) => to)];
  // Money that leaves for a beneficiary that the report does not name.
  const unnamed = gives.length > 0 && receiver === null && authority === null ? ["unknown"] : [];
  return [...named, ...unnamed]
    .filter((party) => typeof party === "string" && party !== "self")
    .map((party) => `eip155:${toChain ?? chainId}:${String(party).toLowerCase()}`);
}

function moveOf(effect: Effect, called: Called): Move {
  const { chainId } = called;
  const amounts = flowsOf(effect).flatMap((flow) => {
    const asset = assetOf(flow, chainId);
    return asset === undefined || flow.units === null
      ? []
      : [{ asset, units: BigInt(flow.units), decimals: flow.decimals }];
  });
  return {
    act: effect.act,
    parties: partiesOf(effect, chainId),
    amounts,
    uncountable: whyUncountable(effect, called),
    ...(effect.knowledge === "measured" ? { byEffect: true } : {}),
  };
}

/** Returns the amount of each asset that leaves, or may be taken, in base units. */
export function totalsOf(moves: readonly Move[]): ReadonlyMap<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { asset, units } of moves.flatMap(({ amounts }) => amounts))
    totals.set(asset, (totals.get(asset) ?? 0n) + units);
  return totals;
}

/** Returns undefined if the report does not account for everything that the transaction sends. */
export function readMoves(effects: unknown, called: Called): readonly Move[] | undefined {
  const { chainId, value } = called;
  const read = Effects.safeParse(effects);
  if (!read.success) return undefined;
  const moves = read.data.filter(({ act }) => act !== "harmless").map((effect) => moveOf(effect, called));
  const native = totalsOf(moves).get(`eip155:${chainId}/native`) ?? 0n;
  return moves.length === 0 || native < value ? undefined : moves;
}
