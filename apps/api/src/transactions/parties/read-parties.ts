// Reads who a transaction pays, gives access to, or calls. Reports parts that it cannot read, and never guesses.
import { hashData } from "@countersign/wire";
import { z } from "zod";
import type { Hex, Transaction } from "../transaction.ts";

/**
 * paid: gets money. access: can take money or act as the wallet. called: the contract that is called, where no one who
 * gets anything is known.
 */
export const roles = ["paid", "access", "called"] as const;

export type Party = { readonly role: (typeof roles)[number]; readonly address: Hex };

export type Parties = {
  readonly parties: readonly Party[];
  /** False if others may get something too: part of it is encrypted or could not be read. */
  readonly isComplete: boolean;
};

const Address = z
  .string()
  .transform((party) => party.toLowerCase())
  .nullable()
  .catch(null);

const Context = z.object({
  limit: z.unknown(),
  effects: z.array(z.object({ act: z.string().optional(), knowledge: z.string().optional() })).min(1),
  net_effect: z.object({
    others: z.array(z.object({ party: Address })).default([]),
    authority: z.array(z.object({ spender: Address, most: z.string().nullish() })).default([]),
    admin: z.array(z.object({ kind: z.string().optional(), party: Address })).default([]),
  }),
});
const Report = z.object({ context: Context });

const isAddress = (party: string | null): party is Hex => party !== null && /^0x[0-9a-f]{40}$/.test(party);

const named = (role: Party["role"], addresses: readonly (string | null)[]): readonly Party[] =>
  addresses.filter(isAddress).map((address) => ({ role, address }));

/** Those that the report names. Undefined without a report that has effects. */
function fromReport(report: unknown): Parties | undefined {
  const read = Report.safeParse(report);
  if (!read.success) return undefined;
  const { limit, effects, net_effect: net } = read.data.context;
  // An allowance of zero takes access away.
  const spenders = net.authority.filter(({ most }) => most !== "0").map(({ spender }) => spender);
  const controllers = net.admin.map(({ party }) => party);
  const isUnread =
    limit !== null ||
    effects.some(({ act, knowledge }) => act === "opaque" || knowledge === "none") ||
    net.admin.some(({ kind }) => kind === "delegatecall");
  return {
    parties: [
      ...named(
        "paid",
        net.others.map(({ party }) => party),
      ),
      ...named("access", [...spenders, ...controllers]),
    ],
    isComplete: !isUnread,
  };
}

const transfer = /^0xa9059cbb0{24}([0-9a-f]{40})[0-9a-f]{64}$/;
const transferFrom = /^0x23b872dd0{24}[0-9a-f]{40}0{24}([0-9a-f]{40})[0-9a-f]{64}$/;
const approve = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/** Those that the calldata of a payment, a token transfer or an approval names. Undefined for any other call. */
function fromCall({ to, value, data }: NonNullable<Transaction["tx"]>): readonly Party[] | undefined {
  if (data === "0x") return named("paid", [to]);
  if (value !== 0n) return undefined;
  const [, recipient] = transfer.exec(data) ?? transferFrom.exec(data) ?? [];
  if (recipient !== undefined) return named("paid", [`0x${recipient}`]);
  const [, spender, amount = ""] = approve.exec(data) ?? [];
  return spender === undefined || /^0*$/.test(amount) ? undefined : named("access", [`0x${spender}`]);
}

/** Reads the call alone. Of an encrypted call only the destination, the value and the hash of its data are. */
function withoutReport({ tx, expected }: Read): Parties {
  const isPlainPayment = tx === null && expected?.dataHash === hashData("0x");
  const call = isPlainPayment ? { ...expected, data: "0x" as const } : tx;
  const parties = call === null ? undefined : fromCall(call);
  return { parties: parties ?? [], isComplete: parties !== undefined };
}

type Read = Pick<Transaction, "escrow" | "form" | "tx" | "expected">;

const withoutRepeats = (parties: readonly Party[]): readonly Party[] => [
  ...new Map(parties.map((party) => [`${party.role} ${party.address}`, party])).values(),
];

/**
 * Returns those who get something from the transaction besides its own wallet: as its report says, else as its calldata
 * says. If neither names anyone, the contract that is called. Addresses are lower case.
 */
export function readParties(transaction: Read, report: unknown): Parties {
  const { escrow, form, tx, expected } = transaction;
  const { parties, isComplete } =
    (form === "sealed" ? undefined : fromReport(report)) ?? withoutReport(transaction);
  const others = parties.filter(({ address }) => address !== escrow);
  const called = named("called", [tx?.to ?? expected?.to ?? null]).filter(
    ({ address }) => address !== escrow,
  );
  return { parties: withoutRepeats(others.length === 0 ? called : others), isComplete };
}
