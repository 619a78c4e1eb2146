import { digestOf, readContent, readEnvelope, type WholeContent } from "@countersign/wire/envelope";
import fc from "fast-check";
import { readPrivateKey } from "openpgp";
import { beforeAll, describe, expect, test } from "vitest";
import { aKeyPair } from "../../../test/pgp-keys.ts";
import { contentOf, fitsEnvelope, maximumContentBytes, seal, unixSeconds } from "./seal.ts";
import { decryptWith } from "../../../test/transactions.ts";

const clock = { now: () => new Date() };
const address = `0x${"12".repeat(20)}` as const;
const salt = `0x${"34".repeat(32)}` as const;

const aContent = (changes: Partial<WholeContent> = {}): WholeContent =>
  ({
    ...contentOf(
      {
        ...{ escrow: address, chainId: 1, description: "Send it.", executionType: 1, salt },
        subject: { tx: { to: address, value: 2n ** 255n, data: "0x" } },
        ...{ deadline: new Date(1_800_000_000_000) },
      },
      {},
    ),
    ...changes,
  }) as WholeContent;

let service: Awaited<ReturnType<typeof aKeyPair>>;
beforeAll(async () => {
  service = await aKeyPair();
});

async function open(bytes: Uint8Array, armoredKey = service.privateKey) {
  const envelope = readEnvelope(bytes);
  const key = await readPrivateKey({ armoredKey });
  return readContent(await decryptWith(key, envelope?.ciphertext ?? ""));
}

describe("seal", () => {
  test("only the service can decrypt the envelope, and finds the content unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", minLength: 1 }),
        fc.dictionary(
          fc.string().filter((name) => name !== "__proto__"),
          fc.jsonValue(),
        ),
        async (userPrompt, contextLogs) => {
          // As in JSON, which has no negative zero.
          const content = aContent({
            userPrompt,
            contextLogs: JSON.parse(JSON.stringify(contextLogs)) as Record<string, unknown>,
          });
          const { bytes, digest } = await seal(content, service.publicKey, clock);
          expect(await open(bytes)).toEqual(content);
          expect(digest).toBe(digestOf(bytes));
        },
      ),
      { numRuns: 10 },
    );
    const { bytes } = await seal(aContent(), service.publicKey, clock);
    await expect(open(bytes, (await aKeyPair()).privateKey)).rejects.toThrow();
  });
  test("never produces the same bytes twice", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => seal(aContent(), service.publicKey, clock)));
    expect(one?.digest).not.toBe(two?.digest);
  });
  test("accepts a key from a clock that is some minutes ahead", async () => {
    const { publicKey } = await aKeyPair({ date: new Date(Date.now() + 5 * 60_000) });
    expect(await seal(aContent(), publicKey, clock)).toBeDefined();
  });
  test("rejects an expired key", async () => {
    const { publicKey } = await aKeyPair({ date: new Date("2020-01-01"), keyExpirationTime: 3600 });
    await expect(seal(aContent(), publicKey, clock)).rejects.toThrow(/expired|no valid/i);
  });
  test("the largest content that fits leaves room for other kinds of keys", async () => {
    const base = Buffer.byteLength(JSON.stringify(aContent({ userPrompt: "" })));
    const largest = aContent({ userPrompt: "\u00e9".repeat((maximumContentBytes - base) / 2) });
    expect(fitsEnvelope(largest)).toBe(true);
    const { bytes } = await seal(largest, service.publicKey, clock);
    expect(bytes.byteLength).toBeLessThanOrEqual(252 * 1024);
    expect(fitsEnvelope(aContent({ userPrompt: "x".repeat(maximumContentBytes) }))).toBe(false);
  });
});

test("contentOf returns everything that a request hash covers, in whole seconds and decimal digits", () => {
  expect(aContent()).toMatchObject({
    ...{ version: 1, deadline: 1_800_000_000, value: String(2n ** 255n), userPrompt: "Send it.", salt },
  });
  expect(unixSeconds(new Date(1999))).toBe(1);
});
