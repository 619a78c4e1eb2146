/** The committed tables under `data/`, read and checked once. A table that is missing, cut off or wrong stops the start. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Address } from "../proposal.ts";
import type { Chain, Token } from "../registry.ts";

const data = join(import.meta.dirname, "../../data");

const address = z.custom<Address>(
  (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
  "expected an address in lower case",
);

const Chains = z.array(
  z.strictObject({
    id: z.int().positive(),
    name: z.string(),
    coin: z.string(),
    wrapped: address.nullable(),
    names: z.array(z.string()).min(1),
    coinNames: z.array(z.string()),
  }),
);

const CoreTokens = z.array(
  z.strictObject({
    chain: z.int().positive(),
    symbol: z.string().min(1),
    address,
    decimals: z.int().min(0).max(36),
    /** Other symbols that mean this token on its chain: WETH for WETH.e where there is no other. */
    also: z.array(z.string()).optional(),
    /** Where the address was checked. */
    source: z.string().min(1),
  }),
);

/** NFT collections people call by name. */
const Collections = z.array(
  z.strictObject({ chain: z.int().positive(), address, names: z.array(z.string()).min(1) }),
);

const Sources = z.object({
  table: z.object({ entries: z.int(), sha256: z.string() }),
  sources: z.array(z.object({ name: z.string(), version: z.string(), asOf: z.iso.date(), entries: z.int() })),
});

type CoreToken = Token & { readonly also: readonly string[] };
type NamedChain = Chain & { readonly names: readonly string[] };

export type Tables = {
  readonly chains: readonly NamedChain[];
  readonly core: readonly CoreToken[];
  readonly tokens: readonly Token[];
  readonly collections: z.output<typeof Collections>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly english: ReadonlySet<string>;
  readonly sources: z.output<typeof Sources>["sources"];
};

const read = (file: string): string => readFileSync(join(data, file), "utf8");

function readJson<T>(file: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(read(file)));
  if (!parsed.success) throw new Error(`data/${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

export function readTables(): Tables {
  const { table, sources } = readJson("SOURCES.json", Sources);
  return {
    chains: readJson("chains.json", Chains),
    core: readJson("core-tokens.json", CoreTokens).map(({ also, chain, symbol, address: at, decimals }) => ({
      chain,
      address: at,
      symbol,
      decimals,
      core: true,
      also: also ?? [],
    })),
    tokens: readTokens(table),
    collections: readJson("nft-collections.json", Collections),
    aliases: new Map(Object.entries(readJson("aliases.json", z.record(z.string(), z.array(z.string()))))),
    english: new Set(read("english-words.txt").split(/\s+/)),
    sources,
  };
}

function readTokens({ entries, sha256 }: z.output<typeof Sources>["table"]): readonly Token[] {
  const text = read("tokens.tsv");
  if (createHash("sha256").update(text).digest("hex") !== sha256) {
    throw new Error("data/tokens.tsv is not the table that data/SOURCES.json describes");
  }
  const tokens = text.trimEnd().split("\n").map(readLine);
  if (tokens.length !== entries) throw new Error(`data/tokens.tsv has ${tokens.length} rows, not ${entries}`);
  return tokens;
}

function readLine(line: string): Token {
  const [chain = "", at = "", symbol = "", decimals = ""] = line.split("\t");
  return {
    chain: Number(chain),
    address: at as Address,
    symbol,
    decimals: Number(decimals),
    core: false,
  };
}
