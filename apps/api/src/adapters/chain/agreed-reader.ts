// Reads one chain through several nodes: an answer counts only if enough of them give it.
import { newestGroup } from "@countersign/platform/rpc";
import { askAll, type Answer, type Answers } from "./ask-all.ts";
import type { ChainReader, Header } from "./chain-reader.ts";

/** Nodes of a chain gave different answers to one question. */
export type Differing = {
  readonly chainId: number;
  readonly question: string;
  /** Those that were outvoted, by their position in the setting. All that answered if too few agree. */
  readonly nodes: readonly number[];
};

type Options = {
  /** One for each node. */
  readonly readers: readonly [ChainReader, ...ChainReader[]];
  /** How many nodes must give the same answer. */
  readonly minNodes: number;
  /** Called for each such question, also after it was answered. */
  readonly onDiffering: (differing: Differing) => void;
};

type Vote<T> = { readonly value: T; readonly nodes: readonly number[] };

/** Answers of one form are equal if they are the same text. */
const textOf = (value: unknown): string =>
  value === undefined
    ? "absent"
    : JSON.stringify(value, (_, member: unknown) =>
        typeof member === "bigint" ? `${member.toString()}n` : member,
      );

/** Groups equal answers, the most frequent first. */
function countVotes<T>(answers: readonly Answer<T>[]): readonly Vote<T>[] {
  const votes = new Map<string, Vote<T>>();
  for (const { node, value } of answers) {
    const text = textOf(value);
    votes.set(text, { value, nodes: [...(votes.get(text)?.nodes ?? []), node] });
  }
  return [...votes.values()].toSorted((one, other) => other.nodes.length - one.nodes.length);
}

/** Returns the answer that enough nodes give, once no other can have as many. Undefined if no answer has enough nodes. */
function findAgreed<T>({ answers, pending }: Answers<T>, minNodes: number): Vote<T> | undefined {
  const [first, second] = countVotes(answers);
  const others = (second?.nodes.length ?? 0) + pending;
  return first !== undefined && first.nodes.length >= minNodes && others < minNodes ? first : undefined;
}

const isHopeless = <T>({ answers, pending }: Answers<T>, minNodes: number): boolean =>
  (countVotes(answers)[0]?.nodes.length ?? 0) + pending < minNodes;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "no answer");

function tooFew(
  { readers: [{ chainId }], minNodes }: Options,
  soFar: Answers<unknown>,
  question: string,
): Error {
  const { answers, failures } = soFar;
  const why = failures.length === 0 ? "" : `: ${messageOf(failures[0])}`;
  const counts = `${answers.length} nodes answered, ${minNodes} must agree`;
  return new Error(`chain ${chainId}: no agreement on ${question}, ${counts}${why}`);
}

/** Makes the function that asks all nodes, and returns what enough of them answer. Throws otherwise. */
function makeAgree(options: Options) {
  const { readers, minNodes, onDiffering } = options;
  const report = (all: Answers<unknown>, question: string): void => {
    const agreed = findAgreed(all, minNodes);
    const differing = all.answers.filter(({ node }) => agreed?.nodes.includes(node) !== true);
    if (countVotes(all.answers).length < 2) return;
    const nodes = differing.map(({ node }) => node).toSorted((one, other) => one - other);
    onDiffering({ chainId: readers[0].chainId, question, nodes });
  };
  return async <T>(question: string, read: (node: ChainReader) => Promise<T>): Promise<T> => {
    const soFar = await askAll(readers, {
      read,
      isEnough: (answers) => findAgreed(answers, minNodes) !== undefined || isHopeless(answers, minNodes),
      onEnd: (all) => {
        report(all, question);
      },
    });
    const agreed = findAgreed(soFar, minNodes);
    if (agreed === undefined) throw tooFew(options, soFar, question);
    return agreed.value;
  };
}

type Agree = ReturnType<typeof makeAgree>;

const blockName = (number: bigint): string => `block ${number.toString()}`;

/** The newest block that enough nodes have, and have the same. It goes back only if enough nodes say that the later block is gone. */
function makeReadHead(options: Options, agree: Agree): ChainReader["readHead"] {
  const { readers, minNodes } = options;
  const heightIn = ({ answers }: Answers<Header>): bigint | undefined =>
    newestGroup(
      answers.map(({ value }) => value),
      minNodes,
    )?.[minNodes - 1]?.number;
  const readAt = (number: bigint): Promise<Header | undefined> =>
    agree(blockName(number), (node) => node.readHeader(number));
  let reached: bigint | undefined;
  return async () => {
    const heads = await askAll(readers, {
      read: (node) => node.readHead(),
      isEnough: (soFar) => reached !== undefined && (heightIn(soFar) ?? -1n) >= reached,
    });
    const height = heightIn(heads);
    if (height === undefined) throw tooFew(options, heads, "the newest block");
    const before = reached !== undefined && height < reached ? await readAt(reached) : undefined;
    const head = before ?? (await readAt(height));
    if (head === undefined) throw tooFew(options, heads, "the newest block");
    reached = head.number;
    return head;
  };
}

/** The highest block that enough nodes call final. */
function makeReadFinalized(options: Options): ChainReader["readFinalized"] {
  const { readers, minNodes } = options;
  const heightIn = ({ answers }: Answers<bigint>): bigint | undefined =>
    answers.map(({ value }) => value).toSorted((one, other) => Number(other - one))[minNodes - 1];
  let reached: bigint | undefined;
  return async () => {
    const heights = await askAll(readers, {
      read: (node) => node.readFinalized(),
      isEnough: (soFar) => reached !== undefined && (heightIn(soFar) ?? -1n) >= reached,
    });
    const height = heightIn(heights);
    if (height === undefined) throw tooFew(options, heights, "the finalized block");
    reached = height;
    return height;
  };
}

/**
 * Makes a reader that asks all nodes and believes what `minNodes` of them answer alike. Fewer lying nodes than that can
 * delay an answer, and change none: without enough equal answers it throws, and the caller retries.
 */
export function makeAgreedReader(options: Options): ChainReader {
  const agree = makeAgree(options);
  return {
    chainId: options.readers[0].chainId,
    readHead: makeReadHead(options, agree),
    readFinalized: makeReadFinalized(options),
    readBlock: (number) => agree(`the calls of ${blockName(number)}`, (node) => node.readBlock(number)),
    readHeader: (number) => agree(blockName(number), (node) => node.readHeader(number)),
    readReceipt: (hash, wallet) => agree(`the receipt of ${hash}`, (node) => node.readReceipt(hash, wallet)),
    readInnerCalls: (block, wallets) =>
      agree(`the logs of block ${block.hash}`, (node) => node.readInnerCalls(block, wallets)),
    hasCode: (address) => agree(`the code of ${address}`, (node) => node.hasCode(address)),
    readEvents: (block, filter) =>
      agree(`the events of block ${block.hash}`, (node) => node.readEvents(block, filter)),
    readMined: (hash) => agree(`the events of transaction ${hash}`, (node) => node.readMined(hash)),
    readState: (question, block) =>
      agree(`the state after block ${block.hash}`, (node) => node.readState(question, block)),
    readCall: (hash) => agree(`transaction ${hash}`, (node) => node.readCall(hash)),
  };
}
