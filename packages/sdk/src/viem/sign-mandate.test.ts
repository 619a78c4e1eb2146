import { mandateTypedData, type Mandate } from "@countersign/wire";
import { recoverTypedDataAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { signMandate } from "./sign-mandate.ts";

test("signs exactly the terms, with the owner's wallet", async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const terms: Mandate = {
    ...{ account: wallet.address, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, agent: "key:1" },
    ...{ purpose: "coffee", acts: ["transfer"], assets: ["eip155:1/slip44:60"], recipients: ["*"] },
    limits: [{ measure: "eip155:1/slip44:60", span: "total", seconds: 0, most: "0.5", decimals: 18 }],
    ...{ validFrom: 1, validUntil: 2, nonce: `0x${"5a".repeat(32)}` },
  };
  const given = { ...terms, acts: [...terms.acts], assets: [...terms.assets] };
  const signature = await signMandate({
    wallet,
    terms: { ...given, recipients: [...terms.recipients], limits: [...terms.limits] },
  });
  expect(await recoverTypedDataAddress({ ...mandateTypedData(terms), signature })).toBe(wallet.address);
});
