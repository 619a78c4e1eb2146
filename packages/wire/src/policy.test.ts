import fc from "fast-check";
import { recoverTypedDataAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { hashPolicy, policyTypedData, type Policy } from "./index.ts";
import { anyAddress, anyCount, anyText, anyTwoThatDifferInOne, anyWord } from "../test/index.ts";

const fields = {
  ...{ account: anyAddress, homeChainId: anyCount, inbox: anyAddress, version: anyCount },
  ...{ previous: anyWord, timeZone: anyText, text: anyText },
};

test("a policy has another digest with any one field changed", () => {
  fc.assert(
    fc.property(anyTwoThatDifferInOne<Policy>(fields), ({ one, other }) => {
      expect(hashPolicy(one)).not.toBe(hashPolicy(other));
    }),
  );
});

test("a wallet's signature over the typed data recovers to the wallet", async () => {
  const wallet = privateKeyToAccount(`0x${"12".repeat(32)}`);
  const policy: Policy = {
    ...{ account: wallet.address, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, version: 1 },
    ...{ previous: `0x${"00".repeat(32)}`, timeZone: "UTC", text: "" },
  };
  const signature = await wallet.signTypedData(policyTypedData(policy));
  expect(await recoverTypedDataAddress({ ...policyTypedData(policy), signature })).toBe(wallet.address);
});
