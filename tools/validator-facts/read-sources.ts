// Reads the token tables of the two packages without interpreting them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Row = {
  readonly chain: number;
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly from: "ledger" | "aave";
};

// On these chains the first letter of every symbol is a "t" of the package's own.
const testnets: ReadonlySet<number> = new Set([
  3, 5, 420, 1442, 84531, 84532, 421613, 421614, 534351, 11155111, 11155420, 168587773,
]);

const plain = (chain: number, symbol: string): string => {
  if (testnets.has(chain)) return symbol.replace(/^t/i, "");
  return chain === 43114 ? symbol.replace(/_e$/i, ".e") : symbol;
};

/** `[network, id, symbol, decimals, name, signature, address, …]` in one file for each chain. */
export function readLedger(home: string): readonly Row[] {
  const chains = join(home, "lib/data/evm");
  return readdirSync(chains)
    .map((chain) => ({ chain: Number(chain), file: join(chains, chain, "erc20.json") }))
    .filter(({ chain, file }) => Number.isSafeInteger(chain) && existsSync(file))
    .flatMap(({ chain, file }) => {
      const tokens = JSON.parse(readFileSync(file, "utf8")) as readonly (readonly unknown[])[];
      return tokens.map((token) => ({
        chain,
        address: String(token[6]).toLowerCase(),
        symbol: plain(chain, String(token[2])),
        decimals: Number(token[3]),
        from: "ledger" as const,
      }));
    });
}

type TokenList = {
  readonly tokens: readonly {
    readonly chainId: number;
    readonly address: string;
    readonly symbol: string;
    readonly decimals: number;
  }[];
};

export function readAave(home: string): readonly Row[] {
  const list = JSON.parse(readFileSync(join(home, "tokenlist.json"), "utf8")) as TokenList;
  return list.tokens.map(({ chainId, address, symbol, decimals }) => ({
    chain: chainId,
    address: address.toLowerCase(),
    symbol,
    decimals,
    from: "aave" as const,
  }));
}
