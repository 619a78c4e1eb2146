/** Reads the functions of an ABI. A function that cannot be decoded later has no name; two with one selector are a mistake. */
import type { AbiParameter } from "abitype";
import { toFunctionSelector } from "viem/utils";
import { z } from "zod";

export type NamedFunction = { readonly name: string; readonly inputs: readonly AbiParameter[] };

const Identifier = z.string().regex(/^[A-Za-z_$][\w$]{0,79}$/);
const word = "u?int\\d{1,3}|address|bool|bytes(?:[1-9]|[12]\\d|3[0-2])?|string|tuple";
const Type = z.string().regex(new RegExp(`^(?:${word})(?:\\[\\d{0,4}\\]){0,4}$`));

const ParameterName = z.union([Identifier, z.literal("")]).optional();

type Parsed = {
  readonly name?: string | undefined;
  readonly type: string;
  readonly components?: Parsed[] | undefined;
};
const Parameter: z.ZodType<Parsed> = z.lazy(() =>
  z.object({ name: ParameterName, type: Type, components: z.array(Parameter).min(1).max(64).optional() }),
);

const AbiFunction = z.object({
  type: z.literal("function"),
  name: Identifier,
  inputs: z.array(Parameter).max(64),
});

const maxDepth = 8;

const depthOf = ({ components = [] }: Parsed): number => 1 + Math.max(0, ...components.map(depthOf));

/** A tuple has components and nothing else has. Null: it is not a type that our reader knows. */
function toParameter({ name = "", type, components }: Parsed): AbiParameter | null {
  const isTuple = type.startsWith("tuple");
  if (isTuple !== (components !== undefined)) return null;
  const number = /^u?int(\d+)/.exec(type)?.[1];
  if (number !== undefined && (Number(number) % 8 !== 0 || Number(number) > 256 || number.startsWith("0")))
    return null;
  if (components === undefined) return { name, type };
  const members = components.map(toParameter);
  return members.includes(null) ? null : { name, type, components: members.filter((one) => one !== null) };
}

/** Null: it is no function, or one that is not named. */
export function readFunction(item: unknown): NamedFunction | null {
  const { data } = AbiFunction.safeParse(item);
  if (data === undefined || data.inputs.some((input) => depthOf(input) > maxDepth)) return null;
  const inputs = data.inputs.map(toParameter);
  return inputs.includes(null) ? null : { name: data.name, inputs: inputs.filter((input) => input !== null) };
}

export const selectorOf = ({ name, inputs }: NamedFunction): string =>
  toFunctionSelector({ type: "function", name, inputs, outputs: [], stateMutability: "payable" }).slice(2);

/** By selector, without 0x. */
export function readAbiFunctions(
  abi: readonly unknown[],
): ReadonlyMap<string, NamedFunction> | { readonly fault: string } {
  const functions = new Map<string, NamedFunction>();
  for (const item of abi) {
    const read = readFunction(item);
    if (read === null) continue;
    const selector = selectorOf(read);
    if (functions.has(selector)) return { fault: `two functions have the selector 0x${selector}` };
    functions.set(selector, read);
  }
  return functions;
}
