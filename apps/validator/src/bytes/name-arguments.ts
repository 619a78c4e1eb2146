/** Reads the arguments of a call with a foreign ABI, for display only. Nothing here becomes an effect. */
import type { AbiParameter } from "abitype";
import type { Hex } from "../proposal.ts";
import { decode, planFor } from "./decode.ts";

type NamedArgument = {
  /** `order.receiver`, `amounts.[2]`; its position where it has no name. */
  readonly path: string;
  readonly type: string;
  readonly value: unknown;
};

/** More is not readable on a page. */
const maxArguments = 32;

/**
 * Returns the arguments of `data`, after its selector, as far as a page can show them. Null unless writing the values again gives exactly these
 * bytes: otherwise the contract could read other values than the ones shown.
 */
export function nameArguments(inputs: readonly AbiParameter[], data: Hex): readonly NamedArgument[] | null {
  const { values, findings } = decode(planFor(inputs), data, 4);
  if (values === null || findings.length > 0) return null;
  const found: NamedArgument[] = [];
  inputs.forEach((input, at) => {
    flatten(input, values[at], nameAt(input, at), found);
  });
  return found;
}

const nameAt = ({ name }: AbiParameter, at: number): string =>
  name === undefined || name === "" ? String(at) : name;

function flatten(parameter: AbiParameter, value: unknown, path: string, into: NamedArgument[]): void {
  if (into.length >= maxArguments) return;
  const list = /^(.*)\[\d*\]$/.exec(parameter.type);
  if (list !== null && Array.isArray(value)) {
    value.slice(0, maxArguments).forEach((item, index) => {
      flatten({ ...parameter, type: list[1] ?? "" }, item, `${path}.[${index}]`, into);
    });
  } else if ("components" in parameter && parameter.type === "tuple") {
    parameter.components.forEach((member, at) => {
      const members = value as Readonly<Record<string | number, unknown>>;
      const isNamed = !Array.isArray(value);
      flatten(member, members[isNamed ? (member.name ?? "") : at], `${path}.${nameAt(member, at)}`, into);
    });
  } else into.push({ path, type: parameter.type, value });
}
