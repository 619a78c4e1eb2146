/**
 * Dated lists of addresses. A match on any of them counts; the absence of one counts only on a complete and recent
 * list.
 */
import { z } from "zod";
import type { AddressList } from "../facts.ts";
import type { Address } from "../proposal.ts";

const Entry = z.union([
  z.string().transform((address) => ({ address, note: undefined })),
  z.object({ address: z.string(), note: z.string().optional() }),
]);

const ListFile = z.object({
  name: z.string().min(1),
  asOf: z.iso.date(),
  source: z.string().min(1),
  /** The list is known to be incomplete, so absence from it clears no address. */
  partial: z.boolean().default(false),
  entries: z.array(Entry),
});

type List = Omit<z.output<typeof ListFile>, "entries"> & {
  readonly notes: ReadonlyMap<string, string | null>;
};

export type Now = () => bigint;

const secondsPerDay = 86_400n;
const secondsOf = (asOf: string): bigint => BigInt(Date.parse(`${asOf}T00:00:00Z`)) / 1000n;

/** `fault` says what is wrong with the file, in words for the operator. */
export function readList(content: unknown, now: Now): List | { readonly fault: string } {
  const parsed = ListFile.safeParse(content);
  if (!parsed.success) return { fault: z.prettifyError(parsed.error) };
  const { entries, ...about } = parsed.data;
  if (secondsOf(about.asOf) > now() + secondsPerDay)
    return { fault: `asOf ${about.asOf} lies in the future` };
  // Lists of sanctions hold addresses of other chains, too; those cannot occur here. A broken one of ours is a mistake.
  const ours = entries.filter(({ address }) => address.toLowerCase().startsWith("0x"));
  const broken = ours.find(({ address }) => !/^0x[0-9a-fA-F]{40}$/.test(address));
  if (broken !== undefined) return { fault: `${broken.address.slice(0, 80)} is not an address` };
  if (ours.length === 0) return { fault: "no EVM address among the entries" };
  return { ...about, notes: new Map(ours.map(({ address, note }) => [address.toLowerCase(), note ?? null])) };
}

/** Combines files of one kind. Freshness is computed on each call, because a process outlives its lists. */
export function joinLists(lists: readonly List[], now: Now, maxAgeDays: number): AddressList | null {
  const whole = lists.filter(({ partial }) => !partial);
  const dated = (whole.length > 0 ? whole : lists).toSorted((a, b) => (a.asOf < b.asOf ? 1 : -1));
  const [newest] = dated;
  if (newest === undefined) return null;
  const notes = new Map(lists.flatMap((list) => [...list.notes]));
  const isFresh = ({ asOf }: List): boolean => now() - secondsOf(asOf) <= BigInt(maxAgeDays) * secondsPerDay;
  return {
    name: lists.map(({ name }) => name).join("; "),
    asOf: newest.asOf,
    source: lists.map(({ source }) => source).join("; "),
    size: notes.size,
    get fresh() {
      return whole.some(isFresh);
    },
    has: (address: Address) => notes.has(address),
    note: (address: Address) => notes.get(address) ?? null,
  };
}
