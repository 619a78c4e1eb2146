/** The vocabulary that the reader gets from outside: which words name tokens, chains and venues. */
export type Lexicon = {
  /** Whether any chain has a token of that symbol; case does not matter. */
  readonly isSymbol: (word: string) => boolean;
  /** Symbols that are also ordinary words: they count only in capitals or after a number. */
  readonly isEnglish: (word: string) => boolean;
  readonly chainNamed: (phrase: string) => { readonly id: number } | null;
  /** Protocol or family id for a lower-case phrase, or null. */
  readonly venueNamed: (phrase: string) => string | null;
  /** All lower-case names, for the longest match. */
  readonly venuePhrases: readonly string[];
  readonly chainPhrases: readonly string[];
  /** Names of NFT collections, lower case. */
  readonly collectionPhrases?: readonly string[];
  /** Whether a token everybody knows bears the symbol. Rare symbols need capitals or a number; absent: all are well known. */
  readonly isCommon?: (word: string) => boolean;
};
