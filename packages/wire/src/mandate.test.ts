import fc from "fast-check";
import { expect, test } from "vitest";
import { hashMandate, mandateTypedData, type Mandate } from "./index.ts";
import { anyAddress, anyCount, anyText, anyTwoThatDifferInOne, anyWord } from "../test/index.ts";

const anyList = fc.array(anyText, { maxLength: 3 }).map((list) => JSON.stringify(list));

/** Lists are drawn as text, so that two of them can be compared. */
const fields = {
  ...{ account: anyAddress, homeChainId: anyCount, inbox: anyAddress, agent: anyText, purpose: anyText },
  ...{ acts: anyList, assets: anyList, recipients: anyList },
  ...{ measure: anyText, seconds: anyCount, most: anyText, decimals: fc.nat(255) },
  ...{ validFrom: anyCount, validUntil: anyCount, nonce: anyWord },
};
type Drawn = {
  [Name in keyof typeof fields]: (typeof fields)[Name] extends fc.Arbitrary<infer T> ? T : never;
};

const made = ({ acts, assets, recipients, measure, seconds, most, decimals, ...rest }: Drawn): Mandate => ({
  ...rest,
  acts: JSON.parse(acts) as string[],
  assets: JSON.parse(assets) as string[],
  recipients: JSON.parse(recipients) as string[],
  limits: [{ measure, span: "period", seconds, most, decimals }],
});

test("a mandate has another digest with any one field changed", () => {
  fc.assert(
    fc.property(anyTwoThatDifferInOne<Drawn>(fields), ({ one, other }) => {
      expect(hashMandate(made(one))).not.toBe(hashMandate(made(other)));
    }),
  );
});

const mandate: Mandate = {
  ...{ account: `0x${"ea".repeat(20)}`, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, agent: "key:1" },
  ...{ purpose: "coffee", acts: ["transfer"], assets: ["eip155:1/slip44:60"], recipients: ["*"] },
  limits: [{ measure: "eip155:1/slip44:60", span: "total", seconds: 0, most: "0.5", decimals: 18 }],
  ...{ validFrom: 1, validUntil: 2, nonce: `0x${"5a".repeat(32)}` },
};

test("a wallet shows amounts in whole tokens", () => {
  expect(mandateTypedData(mandate).message.limits).toEqual([
    { measure: "eip155:1/slip44:60", span: "total", seconds: 0n, most: "0.5", decimals: 18 },
  ]);
});

test("text that is not well-formed Unicode is not offered for signing", () => {
  expect(() => mandateTypedData({ ...mandate, purpose: "pay \udc00" })).toThrow(/well-formed/);
});
