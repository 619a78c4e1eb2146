/** Lists every argument of every described function with its use, for the reference and its review. */
import { accountFor, type AccountedField, type Opening, type Use } from "../../uses.ts";
import type { Protocol } from "../../protocol.ts";

export type ListedArgument = AccountedField & {
  readonly protocol: string;
  /** Name of the function or primary type it belongs to, with its opening if it is inside an argument. */
  readonly of: string;
};

export type ListedFunction = {
  readonly protocol: string;
  readonly name: string;
  /** "unread": the call never passes, so its arguments need no use. */
  readonly arguments: readonly ListedArgument[] | "unread";
};

const openingsIn = (use: Use): readonly Opening[] =>
  use.kind === "opened" && use.as !== "calls" ? use.as : [];

/** The contents of an argument, and their contents. */
const inside = (field: ListedArgument, seen: ReadonlySet<Opening>): readonly ListedArgument[] =>
  openingsIn(field.use)
    .filter((opening) => !seen.has(opening))
    .flatMap((opening) =>
      opening.fields.flatMap((inner) => {
        const listed = {
          ...inner,
          protocol: field.protocol,
          of: field.of,
          path: `${field.path} › ${inner.path}`,
        };
        return [listed, ...inside(listed, new Set([...seen, opening]))];
      }),
    );

const listFields = (
  protocol: string,
  of: string,
  fields: readonly AccountedField[],
): readonly ListedArgument[] =>
  fields.flatMap((field) => {
    const listed = { ...field, protocol, of };
    return [listed, ...inside(listed, new Set())];
  });

type Tree = NonNullable<Protocol["typedData"]>[number]["uses"];

const leavesOf = (tree: Tree, above = ""): readonly AccountedField[] =>
  Object.entries(tree).flatMap(([name, use]) =>
    typeof use.kind === "string"
      ? [{ path: above + name, type: "", use: use }]
      : leavesOf(use, `${above}${name}.`),
  );

export const listArguments = (
  protocol: string,
  { functions, typedData = [] }: Protocol,
): readonly ListedFunction[] => [
  ...functions.map(({ abi, uses }): ListedFunction => {
    const types = abi.inputs.map(({ type }) => type).join(", ");
    const name = `${abi.name}(${types})`;
    if (typeof uses === "string") return { protocol, name, arguments: "unread" };
    return { protocol, name, arguments: listFields(protocol, name, accountFor(abi.inputs, uses)) };
  }),
  ...typedData.map(({ primaryType, uses }): ListedFunction => {
    const name = `signed ${primaryType}`;
    return { protocol, name, arguments: listFields(protocol, name, leavesOf(uses)) };
  }),
];
