/**
 * Reads an ERC-7730 descriptor of a contract: its name, and words for functions and parameters. It counts for the deployments that it lists and
 * for no other address. Formats of values, factories and included files are not used.
 */
import { parseAbiItem } from "viem/utils";
import { z } from "zod";
import type { Address } from "../../proposal.ts";
import type { Fault } from "../list-file.ts";
import { readFunction, selectorOf, type NamedFunction } from "./read-abi.ts";
import { ChainId, EvmAddress, ShownText } from "./shown-text.ts";

const Field = z.looseObject({
  path: z.string().max(200).optional(),
  label: ShownText.optional(),
  $ref: z.string().max(200).optional(),
});
const Format = z.looseObject({
  intent: z.union([ShownText, z.record(z.string(), z.unknown())]).optional(),
  fields: z.array(Field).max(200).optional(),
});
const Descriptor = z.looseObject({
  context: z.looseObject({
    contract: z.looseObject({
      deployments: z
        .array(z.looseObject({ chainId: ChainId, address: EvmAddress }))
        .min(1)
        .max(2_000),
    }),
  }),
  metadata: z.looseObject({ contractName: ShownText.optional() }).optional(),
  display: z.looseObject({
    definitions: z.record(z.string(), z.looseObject({ label: ShownText.optional() })).optional(),
    formats: z.record(z.string().max(2_000), Format).optional(),
  }),
});
type Read = z.output<typeof Descriptor>;

type DescribedFunction = NamedFunction & {
  readonly intent: string | null;
  readonly labels: Readonly<Record<string, string>>;
};

export type ReadDescriptor = {
  readonly deployments: readonly { readonly chain: number; readonly address: Address }[];
  readonly name: string | null;
  /** By selector, without 0x. */
  readonly functions: ReadonlyMap<string, DescribedFunction>;
};

export function readDescriptor(content: unknown): ReadDescriptor | Pick<Fault, "fault"> {
  const parsed = Descriptor.safeParse(content);
  if (!parsed.success) return { fault: z.prettifyError(parsed.error) };
  const { context, metadata, display } = parsed.data;
  const functions = new Map<string, DescribedFunction>();
  for (const [key, format] of Object.entries(display.formats ?? {})) {
    // A key that is only a selector has no types, so its arguments cannot be read.
    if (key.startsWith("0x")) continue;
    const named = parseKey(key);
    if (named === null) return { fault: `display.formats: ${key.slice(0, 80)} is not a function` };
    const selector = selectorOf(named);
    if (functions.has(selector)) return { fault: `two functions have the selector 0x${selector}` };
    const intent = typeof format.intent === "string" ? format.intent : null;
    functions.set(selector, { ...named, intent, labels: labelsOf(format.fields ?? [], display.definitions) });
  }
  return {
    deployments: context.contract.deployments.map(({ chainId, address }) => ({ chain: chainId, address })),
    name: metadata?.contractName ?? null,
    functions,
  };
}

/** A key is a signature, with or without the names of parameters. */
function parseKey(key: string): NamedFunction | null {
  try {
    return readFunction(parseAbiItem([`function ${key}`] as readonly string[]));
  } catch {
    return null;
  }
}

type Fields = NonNullable<z.output<typeof Format>["fields"]>;

/** Paths as our decoder writes them. Paths into the transaction, into constants, and slices name no parameter. */
function labelsOf(fields: Fields, definitions: Read["display"]["definitions"]): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const { path = "", label, $ref } of fields) {
    const parameter = path.replace(/^#\./, "");
    const text = label ?? definitions?.[$ref?.replace(/^\$\.display\.definitions\./, "") ?? ""]?.label;
    if (text !== undefined && /^[\w$]+(?:\.(?:[\w$]+|\[\]))*$/.test(parameter)) labels[parameter] = text;
  }
  return labels;
}
