/** Tokens pegged to the US dollar. */
const dollars: ReadonlySet<string> = new Set(
  "USDC,USDT,DAI,USDS,USDC.E,USDBC,FRAX,LUSD,GHO,PYUSD,CRVUSD,USDE,TUSD".split(","),
);

/** Returns whether a token is pegged to the US dollar. `symbol` is in upper case. */
export const isDollar = (symbol: string): boolean => dollars.has(symbol);
