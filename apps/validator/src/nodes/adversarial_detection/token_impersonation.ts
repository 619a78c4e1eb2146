/** A token with the symbol of another. Anyone can deploy one in a minute. */
import { defineNode, fail, pass, quoted, short } from "../../node.ts";
import type { Address, Reading } from "../../facts.ts";

/** Letters of other scripts that look like Latin ones in a symbol. */
const twins: Readonly<Record<string, string>> = {
  А: "A",
  В: "B",
  С: "C",
  Е: "E",
  Н: "H",
  І: "I",
  К: "K",
  М: "M",
  О: "O",
  Р: "P",
  Ѕ: "S",
  Т: "T",
  Х: "X",
  У: "Y",
  Α: "A",
  Β: "B",
  Ε: "E",
  Η: "H",
  Ι: "I",
  Κ: "K",
  Μ: "M",
  Ν: "N",
  Ο: "O",
  Ρ: "P",
  Τ: "T",
  Χ: "X",
  Υ: "Y",
  Ζ: "Z",
};

/** Returns the symbol as a person sees it. */
const seen = (symbol: string): string =>
  Array.from(
    symbol
      .normalize("NFKC")
      .replace(/[\p{Cf}\s]/gu, "")
      .toUpperCase(),
    (letter) => twins[letter] ?? letter,
  ).join("");

const assetsOf = ({ effects }: Reading): ReadonlySet<Address> =>
  new Set(
    effects
      .flatMap(({ gives, gets, authority }) => [
        ...gives,
        ...gets,
        ...(authority === null ? [] : [authority]),
      ])
      .flatMap(({ asset }) => (asset?.kind === "token" || asset?.kind === "nft" ? [asset.address] : [])),
  );

export default defineNode({
  title: "No token imitates another",
  failTitle: "Fake token",
  severity: "critical",
  needs: ["proposal", "reading", "registry", "claimedTokens"],
  check({ proposal: { chain }, reading, registry, claimedTokens }) {
    const used = assetsOf(reading);
    for (const { address, symbol } of claimedTokens) {
      if (symbol === null || !used.has(address) || registry.token(chain.id, address) !== null) continue;
      const [real] = registry.named(chain.id, seen(symbol));
      if (real !== undefined)
        return fail(
          `${short(address)} calls itself ${quoted(symbol)}. The real token is ${short(real.address)}.`,
          {
            expected: real.address,
            observed: address,
            evidence: [{ kind: "token", ref: address, value: quoted(symbol) }],
            fix: `Use ${real.symbol} at ${real.address}.`,
          },
        );
    }
    return pass("No token in the transaction has the symbol of another.");
  },
});
