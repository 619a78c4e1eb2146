import { policyTypedData, type Policy } from "@countersign/wire";
import { recoverTypedDataAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { signPolicy } from "./sign-policy.ts";

test("signs exactly the terms, with the owner's wallet", async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const terms: Policy = {
    ...{ account: wallet.address, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, version: 1 },
    ...{ previous: `0x${"00".repeat(32)}`, timeZone: "UTC", text: "// no rules yet" },
  };
  const signature = await signPolicy({ wallet, terms });
  expect(await recoverTypedDataAddress({ ...policyTypedData(terms), signature })).toBe(wallet.address);
});
