// One question to all nodes of a chain.

/** An answer, and the node that gave it: its position in the setting, from 1. */
export type Answer<T> = { readonly node: number; readonly value: T };

/** The answers so far, the number of nodes that have not answered yet, and why others failed. */
export type Answers<T> = {
  readonly answers: readonly Answer<T>[];
  readonly pending: number;
  readonly failures: readonly unknown[];
};

type Question<Node, T> = {
  readonly read: (node: Node) => Promise<T>;
  /** Whether to go on without the other nodes: one that hangs then delays nothing. */
  readonly isEnough: (soFar: Answers<T>) => boolean;
  /** Called once all nodes have answered or failed, which may be later. */
  readonly onEnd?: (all: Answers<T>) => void;
};

/** Asks all nodes at once. Resolves when the answers are enough, at the latest when every node has answered or failed. */
export function askAll<Node, T>(
  nodes: readonly Node[],
  { read, isEnough, onEnd }: Question<Node, T>,
): Promise<Answers<T>> {
  return new Promise((resolve) => {
    let soFar: Answers<T> = { answers: [], pending: nodes.length, failures: [] };
    const add = (more: Partial<Answers<T>>): void => {
      soFar = { ...soFar, ...more, pending: soFar.pending - 1 };
      if (soFar.pending === 0 || isEnough(soFar)) resolve(soFar);
      if (soFar.pending === 0) onEnd?.(soFar);
    };
    nodes.forEach((node, index) => {
      read(node).then(
        (value) => {
          add({ answers: [...soFar.answers, { node: index + 1, value }] });
        },
        (error: unknown) => {
          add({ failures: [...soFar.failures, error] });
        },
      );
    });
  });
}
