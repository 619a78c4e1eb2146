// Plans the steps of a document's blocks, in order, and reports invalid blocks.
import { findBlocks, type Block, type Fault } from "./blocks.ts";

export type Step =
  | {
      readonly kind: "commands";
      readonly block: Block;
      readonly exit: number;
      readonly given: readonly string[];
      /** The output that the document expects. */
      readonly output?: Block;
    }
  | {
      readonly kind: "program";
      readonly name: string;
      readonly blocks: readonly [Block, ...Block[]];
      readonly given: readonly string[];
    }
  | { readonly kind: "file"; readonly block: Block; readonly path: string };

export type NotRun = { readonly line: number; readonly reason: string };

export type Plan = {
  readonly steps: readonly Step[];
  readonly notRun: readonly NotRun[];
  readonly faults: readonly Fault[];
};

/** Blocks are taken as they stand; a program runs where its last block is. */
export function planDocument(document: string): Plan {
  const { blocks, faults } = findBlocks(document);
  const programs = gatherPrograms(blocks);
  const steps = blocks.flatMap((block, index) => stepOf(block, blocks[index + 1], programs));
  const notRun = blocks.flatMap(({ line, attributes }) => {
    const reason = attributes["not-run"];
    return reason === undefined ? [] : [{ line, reason }];
  });
  return {
    steps,
    notRun,
    faults: [...faults, ...blocks.flatMap((block, index) => faultsOf(block, index, blocks))],
  };
}

const isRun = ({ attributes }: Block): boolean => attributes["not-run"] === undefined;
const isPart = (block: Block): boolean =>
  block.language === "ts" && isRun(block) && block.attributes.file === undefined;
const programOf = ({ attributes }: Block): string => attributes.program ?? "main";

function gatherPrograms(blocks: readonly Block[]): ReadonlyMap<string, readonly Block[]> {
  return Map.groupBy(blocks.filter(isPart), programOf);
}

function stepOf(
  block: Block,
  next: Block | undefined,
  programs: ReadonlyMap<string, readonly Block[]>,
): readonly Step[] {
  const { language, attributes } = block;
  if (!isRun(block)) return [];
  if (attributes.file !== undefined) return [{ kind: "file", block, path: attributes.file }];
  if (language === "ts") return programEndingWith(block, programs);
  return language === "sh" ? [commandsOf(block, next)] : [];
}

function programEndingWith(block: Block, programs: ReadonlyMap<string, readonly Block[]>): readonly Step[] {
  const name = programOf(block);
  const [first = block, ...rest] = programs.get(name) ?? [];
  if ((rest.at(-1) ?? first) !== block) return [];
  return [{ kind: "program", name, blocks: [first, ...rest], given: [first, ...rest].flatMap(givenTo) }];
}

const givenTo = ({ attributes }: Block): readonly string[] => attributes.given?.split(/\s+/) ?? [];

const commandsOf = (block: Block, next: Block | undefined): Step => ({
  kind: "commands",
  block,
  exit: Number(block.attributes.exit ?? 0),
  given: givenTo(block),
  ...(next?.attributes.output === undefined ? {} : { output: next }),
});

function faultsOf(block: Block, index: number, blocks: readonly Block[]): readonly Fault[] {
  const { attributes, line } = block;
  const faults = [...jsonFaults(block)];
  if (attributes.output !== undefined) faults.push(...outputFaults(line, blocks[index - 1]));
  if (attributes.file !== undefined && isRun(block) && !isUsed(blocks.slice(index + 1)))
    faults.push({ line, message: "no commands run after this file, so it is never read" });
  return faults;
}

function outputFaults(line: number, before: Block | undefined): readonly Fault[] {
  if (before?.language !== "sh") return [{ line, message: "no commands stand before this output" }];
  return isRun(before) ? [] : [{ line, message: "the commands before this output are not run" }];
}

const isUsed = (later: readonly Block[]): boolean =>
  later.some((block) => block.language === "sh" && isRun(block));

function jsonFaults({ language, text, line }: Block): readonly Fault[] {
  if (language !== "json" && language !== "jsonc") return [];
  try {
    JSON.parse(language === "jsonc" ? withoutComments(text) : text);
    return [];
  } catch (error) {
    return [{ line, message: `this is not JSON: ${(error as Error).message}` }];
  }
}

/** Comments and trailing commas, which may not be taken for such inside a string. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, string?: string) => string ?? "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, string?: string) => string ?? "");
