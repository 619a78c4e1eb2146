// Caveats of the MetaMask delegation framework: the terms exactly as its enforcers read them.
import { concat, decodeAbiParameters, encodeAbiParameters, numberToHex, pad, size, slice } from "viem/utils";
import type { Hex } from "../types.ts";
import { lower, refuse, requireThat } from "./types.ts";

/** The enforcers that express a mandate. */
export const enforcerNames = [
  ...(["NativeTokenPeriodTransfer", "ERC20PeriodTransfer", "NativeTokenTransferAmount"] as const),
  ...(["ERC20TransferAmount", "Timestamp", "LimitedCalls", "ValueLte", "AllowedTargets"] as const),
  ...(["AllowedMethods", "AllowedCalldata", "ExactCalldata", "LogicalOrWrapper"] as const),
] as const;
/** A name of `enforcerNames`. */
export type EnforcerName = (typeof enforcerNames)[number];

/** Addresses of the enforcers on the delegation's chain, without "Enforcer" at the end of their names. */
export type Enforcers = Readonly<Record<EnforcerName, Hex>>;

/** A condition of a delegation: the contract that checks it, and its terms. */
export type Caveat = { readonly enforcer: Hex; readonly terms: Hex; readonly args: Hex };

/** A caveat whose enforcer is known. */
export type NamedCaveat = { readonly name: EnforcerName; readonly terms: Hex };

export const word = (n: bigint | number): Hex => numberToHex(n, { size: 32 });
const half = (n: number): Hex => numberToHex(n, { size: 16 });

/** `transfer(address,uint256)`. */
const transferSelector: Hex = "0xa9059cbb";

type Token = Hex | null;

export const periodCaveat = (token: Token, units: bigint, seconds: number, start: number): NamedCaveat => {
  const words = [word(units), word(seconds), word(start)];
  return token === null
    ? { name: "NativeTokenPeriodTransfer", terms: concat(words) }
    : { name: "ERC20PeriodTransfer", terms: concat([token, ...words]) };
};

export const totalCaveat = (token: Token, units: bigint): NamedCaveat =>
  token === null
    ? { name: "NativeTokenTransferAmount", terms: word(units) }
    : { name: "ERC20TransferAmount", terms: concat([token, word(units)]) };

/** The enforcer wants a time after the first and before the second number. */
export const timeCaveat = (validFrom: number, validUntil: number): NamedCaveat => ({
  name: "Timestamp",
  terms: concat([half(validFrom - 1), half(validUntil)]),
});

const groupTypes = [
  {
    type: "tuple[]",
    components: [
      {
        name: "caveats",
        type: "tuple[]",
        components: [
          { name: "enforcer", type: "address" },
          { name: "terms", type: "bytes" },
          { name: "args", type: "bytes" },
        ],
      },
    ],
  },
] as const;

/** The recipient is the first argument, after the selector. */
const payeeTerms = (payee: Hex): Hex => concat([word(4), pad(payee, { size: 32 })]);

function payeeCaveats(
  payees: readonly Hex[],
  { AllowedCalldata: enforcer }: Enforcers,
): readonly NamedCaveat[] {
  const [first] = payees;
  if (first === undefined) return [];
  if (payees.length === 1) return [{ name: "AllowedCalldata", terms: payeeTerms(first) }];
  // One group for each payee. The redeemer names the group that holds.
  const groups = payees.map((payee): { readonly caveats: readonly Caveat[] } => ({
    caveats: [{ enforcer, terms: payeeTerms(payee), args: "0x" }],
  }));
  return [{ name: "LogicalOrWrapper", terms: encodeAbiParameters(groupTypes, [groups]) }];
}

/** Only transfers of the token, or only plain payments of the native currency, to the payees. Null: anyone. */
export const transferCaveats = (
  token: Token,
  payees: readonly Hex[] | null,
  enforcers: Enforcers,
): readonly NamedCaveat[] =>
  token === null
    ? [
        ...(payees === null ? [] : [{ name: "AllowedTargets" as const, terms: concat([...payees]) }]),
        { name: "ExactCalldata", terms: "0x" },
      ]
    : [
        // The enforcers of tokens do not look at the native currency that a call carries.
        { name: "ValueLte", terms: word(0) },
        { name: "AllowedTargets", terms: token },
        { name: "AllowedMethods", terms: transferSelector },
        ...payeeCaveats(payees ?? [], enforcers),
      ];

/** Reads terms that consist of parts of fixed sizes. */
export function partsOf(terms: Hex, sizes: readonly number[], name: string): readonly Hex[] {
  const total = sizes.reduce((sum, one) => sum + one, 0);
  requireThat(size(terms) === total, `The terms of ${name} do not have ${total} bytes.`);
  let at = 0;
  return sizes.map((bytes) => slice(terms, at, (at += bytes)));
}

/** Reads a list of entries of one size. */
export function listOf(terms: Hex, bytes: number, name: string): readonly Hex[] {
  const count = size(terms) / bytes;
  requireThat(Number.isInteger(count) && count > 0, `The terms of ${name} are not a list.`);
  return Array.from({ length: count }, (_, index) => lower(slice(terms, index * bytes, (index + 1) * bytes)));
}

function readPayee(terms: Hex): Hex {
  const [offset = "0x", zeros = "0x", payee = "0x"] = partsOf(terms, [32, 12, 20], "AllowedCalldata");
  requireThat(BigInt(offset) === 4n && /^0x0*$/.test(zeros), "AllowedCalldata is not about the recipient.");
  return lower(payee);
}

/** Reads the recipients of a token's transfers. Null: anyone. */
export function readPayees(
  caveats: readonly NamedCaveat[],
  { AllowedCalldata }: Enforcers,
): readonly Hex[] | null {
  const one = caveats.find(({ name }) => name === "AllowedCalldata");
  const several = caveats.find(({ name }) => name === "LogicalOrWrapper");
  if (one !== undefined && several !== undefined) return refuse("Two caveats name recipients.");
  if (one !== undefined) return [readPayee(one.terms)];
  if (several === undefined) return null;
  const [groups] = decodeAbiParameters(groupTypes, several.terms);
  return groups.map(({ caveats: group }) => {
    const [only] = group;
    requireThat(
      only !== undefined && group.length === 1 && lower(only.enforcer) === lower(AllowedCalldata),
      "A group of LogicalOrWrapper is not about one recipient.",
    );
    return readPayee(only.terms);
  });
}

export const readsTransfers = (terms: Hex): boolean =>
  listOf(terms, 4, "AllowedMethods").includes(transferSelector);
