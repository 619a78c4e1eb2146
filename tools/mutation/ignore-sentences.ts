// A Stryker plugin. The wording of a sentence decides nothing, so a text with a space in it is not mutated.
type Node = { readonly type: string; readonly value?: unknown; readonly quasis?: readonly Quasi[] };
type Quasi = { readonly value: { readonly raw: string } };

export const sentenceIgnorer = {
  shouldIgnore({ node }: { readonly node: Node }): string | undefined {
    const text =
      node.type === "StringLiteral"
        ? String(node.value)
        : node.type === "TemplateLiteral"
          ? (node.quasis ?? []).map(({ value }) => value.raw).join("")
          : "";
    return /\S\s+\S/.test(text.trim()) ? "the wording of a sentence" : undefined;
  },
};

/** Stryker reads this export of a plugin. */
export const strykerPlugins = [{ kind: "Ignore", name: "sentences", value: sentenceIgnorer }];
