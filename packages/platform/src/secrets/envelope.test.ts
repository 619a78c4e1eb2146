import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decrypt } from "./aes-gcm.ts";
import { openSecret, sealSecret, type SealedSecret } from "./envelope.ts";
import { SecretError } from "./errors.ts";
import { makeLocalKek, type KeyEncryptionKey } from "./key-encryption-key.ts";

const id = "0190b4a8-0000-7000-8000-000000000001";
const purpose = "jwt-signing";
const value = Buffer.from("a secret value");
const aKek = (fill: number): KeyEncryptionKey => makeLocalKek(Buffer.alloc(32, fill));
const kek = aKek(1);
const seal = (change: Partial<{ id: string; purpose: string; value: Buffer }> = {}): Promise<SealedSecret> =>
  sealSecret(kek, { id, purpose, value, ...change });

test("decrypts with the original key at any position among the keys", async () => {
  expect(await openSecret([kek], await seal())).toEqual(value);
  expect(await openSecret([aKek(2), kek], await seal())).toEqual(value);
});

test("does not open with another key, not even under the right key's name", async () => {
  const sealed = await seal();
  await expect(openSecret([aKek(2)], sealed)).rejects.toMatchObject({ code: "unknown-kek" });
  await expect(openSecret([{ ...aKek(2), id: kek.id }], sealed)).rejects.toMatchObject({
    code: "does-not-open",
  });
});

test("never uses a data key or a nonce again, not even for the same value in the same place", async () => {
  const [one, other] = [await seal(), await seal()];
  expect(one.nonce).not.toEqual(other.nonce);
  expect(one.ciphertext).not.toEqual(other.ciphertext);
  expect(one.wrappedKey).not.toEqual(other.wrappedKey);
});

test.each([
  ["the row's id", { id: "0190b4a8-0000-7000-8000-000000000002" }],
  ["the purpose", { purpose: "api-key-pepper" }],
])("does not open after a change of %s", async (_, change) => {
  await expect(openSecret([kek], { ...(await seal()), ...change })).rejects.toMatchObject({
    code: "does-not-open",
  });
});

test.each(["wrappedKey", "ciphertext"] as const)(
  "a %s of another row or another purpose does not open, with what belongs to it or alone",
  async (part) => {
    const mine = await seal();
    for (const other of [
      await seal({ id: "0190b4a8-0000-7000-8000-000000000002" }),
      await seal({ purpose: "api-key-pepper" }),
    ])
      for (const moved of [
        { [part]: other[part] },
        { ciphertext: other.ciphertext, nonce: other.nonce, wrappedKey: other.wrappedKey },
      ])
        await expect(openSecret([kek], { ...mine, ...moved })).rejects.toMatchObject({
          code: "does-not-open",
        });
  },
);

test("payload and wrapped key are bound to their columns: neither passes for the other", async () => {
  const seen: { dataKey: Buffer; aad: Buffer }[] = [];
  const watching: KeyEncryptionKey = {
    ...kek,
    wrap: async (dataKey, aad) => {
      seen.push({ dataKey: Buffer.from(dataKey), aad });
      return kek.wrap(dataKey, aad);
    },
  };
  const sealed = await sealSecret(watching, { id, purpose, value });
  const [{ dataKey, aad } = expect.unreachable("nothing was wrapped")] = seen;
  expect(() => decrypt(dataKey, sealed, aad)).toThrow(SecretError);
});

test("one flipped bit anywhere, or a byte less, and it does not open", async () => {
  const part = fc.constantFrom("wrappedKey" as const, "nonce" as const, "ciphertext" as const);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), part, fc.nat(), async (bytes, name, at) => {
      const sealed = await seal({ value: Buffer.from(bytes) });
      expect(await openSecret([kek], sealed)).toEqual(Buffer.from(bytes));
      const bit = at % (sealed[name].length * 8);
      const flipped = Buffer.from(sealed[name]);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      for (const changed of [
        flipped,
        sealed[name].subarray(0, -1),
        sealed[name].subarray(0, (at % 16) % sealed[name].length),
      ])
        await expect(openSecret([kek], { ...sealed, [name]: changed })).rejects.toMatchObject({
          code: "does-not-open",
        });
    }),
    { numRuns: 300 },
  );
});

test("an error about a secret names the record and holds neither value nor key", async () => {
  const sealed = await seal();
  const errors = await Promise.all(
    [
      openSecret([aKek(2)], sealed),
      openSecret([kek], { ...sealed, purpose: "other" }),
      openSecret([kek], { ...sealed, ciphertext: Buffer.from([...sealed.ciphertext].reverse()) }),
    ].map((opening) => opening.catch((error: unknown) => error)),
  );
  for (const error of errors) {
    const told = inspect(error, { depth: 10, showHidden: true });
    expect(told).toContain(id);
    for (const secret of [value, Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
      for (const encoding of ["utf8", "hex", "base64"] as const)
        expect(told).not.toContain(secret.toString(encoding));
  }
});
