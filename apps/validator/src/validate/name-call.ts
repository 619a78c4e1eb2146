/**
 * Names a call that our tables do not know, from the operator's files, for display. The names are never part of the reading that is compared with
 * the request: a contract can call its functions whatever it likes.
 */
import { nameArguments } from "../bytes/name-arguments.ts";
import type { ContractData, FunctionName, Leaf, Simulation } from "../facts.ts";
import type { Address, Hex } from "../proposal.ts";

type ShownArgument = {
  readonly name: string;
  readonly type: string;
  /** The descriptor's words for it. */
  readonly label: string | null;
  readonly value: string;
};

export type NamedCall = {
  /** As the source or a descriptor calls the contract. */
  readonly contract: string | null;
  readonly function: string | null;
  readonly signature: string | null;
  readonly intent: string | null;
  readonly arguments: readonly ShownArgument[];
  /** Why there is no function. */
  readonly why: string | null;
  /** The contract that the function is of: the called one, or the implementation behind it that was executed. */
  readonly of: Address;
  readonly source: string;
  readonly as_of: string | null;
};

type Known = {
  readonly contractData: ContractData;
  readonly chain: number;
  /** Proxies that were executed on a proven state. */
  readonly proxies: Simulation["proxies"];
};

const maxDataBytes = 32 * 1024;
const maxValueLength = 80;

/** Undefined if no file is about exactly this contract on this chain. */
export function nameCall({ to, data }: Leaf, known: Known): NamedCall | undefined {
  if (to === null) return undefined;
  const { contractData, chain, proxies } = known;
  const behind = proxies.filter(({ address }) => address === to).map(({ implementation }) => implementation);
  // The proxy's own functions come first, as in its code.
  const candidates = [to, ...behind];
  const selector = data.slice(0, 10) as Hex;
  for (const of of candidates) {
    const named = contractData.functionAt(chain, of, selector);
    if (named === null) continue;
    const contract = firstName(candidates, known);
    return { contract, of, source: named.source, as_of: named.asOf, ...nameFunction(named, data) };
  }
  return nameContract(candidates, data, known);
}

const firstName = (candidates: readonly Address[], { contractData, chain }: Known): string | null =>
  candidates.map((of) => contractData.at(chain, of)?.name ?? null).find((name) => name !== null) ?? null;

/** Without a function. */
function nameContract(candidates: readonly Address[], data: Hex, known: Known): NamedCall | undefined {
  const why = data.length < 10 ? "It calls no function." : "No file has this function.";
  for (const of of candidates) {
    const record = known.contractData.at(known.chain, of);
    if (record === null) continue;
    const contract = firstName(candidates, known);
    return { contract, of, source: record.source, as_of: record.asOf, ...unnamed(why) };
  }
  return undefined;
}

const unnamed = (why: string) =>
  ({ function: null, signature: null, intent: null, arguments: [], why }) as const;

function nameFunction(
  { name, inputs, intent, labels }: FunctionName,
  data: Hex,
): Pick<NamedCall, "function" | "signature" | "intent" | "arguments" | "why"> {
  const found = data.length / 2 > maxDataBytes ? null : nameArguments(inputs, data);
  if (found === null)
    return unnamed(
      `Its data is not exactly what a call of ${name} would be encoded as, or is too long to show.`,
    );
  return {
    function: name,
    signature: `${name}(${inputs.map(typeOf).join(",")})`,
    intent,
    arguments: found.map(({ path, type, value }) => ({
      ...{ name: path, type, label: labels[path.replace(/\[\d+\]/g, "[]")] ?? null, value: textOf(value) },
    })),
    why: null,
  };
}

type Input = FunctionName["inputs"][number];

const typeOf = (input: Input): string =>
  "components" in input
    ? `(${input.components.map(typeOf).join(",")})${input.type.slice("tuple".length)}`
    : input.type;

/** Texts of others are one line of a limited length. */
function textOf(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "·") : String(value);
  return text.length > maxValueLength
    ? `${Array.from(text)
        .slice(0, maxValueLength - 1)
        .join("")}…`
    : text;
}
