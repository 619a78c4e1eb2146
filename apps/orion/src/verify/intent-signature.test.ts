import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { intentTypedData, type Hex } from "@countersign/wire";
import type { Content } from "@countersign/wire/envelope";
import { aContent, aWord } from "../../test/proposals.ts";
import { isSignedByAccount } from "./intent-signature.ts";

const now = 1_800_000_000;
const wallet = privateKeyToAccount(generatePrivateKey());

async function signed(changes: Parameters<typeof aContent>[0] = {}): Promise<Content> {
  const content = aContent({ escrow: wallet.address.toLowerCase() as Hex });
  const { escrow: account, userPrompt: text, chainId } = content;
  const [nonce, expiresAt] = [aWord(), now + 60];
  const typed = intentTypedData({ account, text, chainId, nonce, expiresAt });
  const signature = await wallet.signTypedData(typed);
  return { ...content, intentSignature: { signature, nonce, expiresAt }, ...changes };
}

test("true if the account's key signed exactly this intent", async () => {
  expect(await isSignedByAccount(await signed(), now)).toBe(true);
});
test("false for another text, another chain, another account, no signature", async () => {
  expect(await isSignedByAccount(await signed({ userPrompt: "other" }), now)).toBe(false);
  expect(await isSignedByAccount(await signed({ chainId: 10 }), now)).toBe(false);
  expect(await isSignedByAccount(await signed({ escrow: aContent().escrow }), now)).toBe(false);
  expect(await isSignedByAccount(aContent(), now)).toBe(false);
});
test("false once it has expired", async () => {
  expect(await isSignedByAccount(await signed(), now + 60)).toBe(false);
});
test("false for the second form of a signature, and for a malformed one", async () => {
  const content = await signed();
  const { intentSignature } = content;
  if (intentSignature === undefined) throw new Error("not signed");
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const { signature } = intentSignature;
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
  const turned = `${signature.slice(0, 66)}${s}${signature.endsWith("1b") ? "1c" : "1b"}`;
  for (const other of [turned, `0x${"00".repeat(65)}`, "0x1234", `0x${"ff".repeat(64)}1b`])
    expect(
      await isSignedByAccount(
        { ...content, intentSignature: { ...intentSignature, signature: other as Hex } },
        now,
      ),
    ).toBe(false);
});
