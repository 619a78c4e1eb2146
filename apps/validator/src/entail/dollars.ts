/** Tokens that are meant to be worth a dollar each. */
const dollars: ReadonlySet<string> = new Set(
  "USDC,USDT,DAI,USDS,USDC.E,USDBC,FRAX,LUSD,GHO,PYUSD,CRVUSD,USDE,TUSD".split(","),
);

/** `symbol`: in upper case. */
export const isDollar = (symbol: string): boolean => dollars.has(symbol);
