import { generateKey } from "openpgp";
import { beforeAll, describe, expect, test } from "vitest";
import { hashData, hashIntent, hashProposal } from "@countersign/wire";
import { proposalOf, writeContent, writeEnvelope } from "@countersign/wire/envelope";
import { makeTempDir } from "@countersign/tools/testing";
import type { Unsealer } from "../keys/index.ts";
import { findPgpKey, makePgpKey } from "../keys/pgp-key.ts";
import {
  aContent,
  aSealedEnvelope,
  aStandardEnvelope,
  aWord,
  anAddress,
  domain,
  sealTo,
} from "../../test/proposals.ts";
import { nothingBound } from "./bound.ts";
import { examineContent, examineEnvelope, type Examined } from "./examine.ts";

let key: Unsealer;
beforeAll(async () => {
  const file = { path: `${makeTempDir("pgp")}/key.asc`, setting: "PGP_KEY_FILE" };
  await makePgpKey(file);
  const found = await findPgpKey(file);
  if (found === undefined) throw new Error("no key");
  key = found;
});

const examine = (requestHash: `0x${string}`, bytes: Uint8Array): Promise<Examined> =>
  examineEnvelope({ domain, requestHash, unseal: key.unseal }, bytes);

describe("a standard envelope", () => {
  test("is sound if its content has the request hash, and then binds the whole verdict", async () => {
    const content = aContent();
    const { requestHash, bytes } = await aStandardEnvelope(key.publicKey, content);
    expect(await examine(requestHash, bytes)).toEqual({
      kind: "sound",
      content,
      privacy: "for the owner",
      bound: {
        escrow: content.escrow,
        chainId: content.chainId,
        to: content.to,
        value: BigInt(content.value),
        dataHash: hashData(content.data),
        intentHash: hashIntent(content.userPrompt),
        deadline: content.deadline,
      },
    });
  });
  test.each([
    ["to", { to: anAddress() }],
    ["value", { value: "1" }],
    ["data", { data: "0x00" as const }],
    ["intent", { userPrompt: "Send everything" }],
    ["escrow", { escrow: anAddress() }],
    ["chain", { chainId: 10 }],
    ["execution type", { executionType: 2 as const }],
    ["deadline", { deadline: 1 }],
    ["salt", { salt: aWord() }],
  ])("is invalid if its content has another %s than was hashed, and binds nothing", async (_, change) => {
    const content = aContent();
    const { bytes } = await aStandardEnvelope(key.publicKey, { ...content, ...change });
    const requestHash = hashProposal(domain, proposalOf(content));
    expect(await examine(requestHash, bytes)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining("does not match this request hash") as unknown,
      bound: nothingBound,
    });
  });
  test("is invalid in another installation's domain", async () => {
    const home = { ...domain, chainId: 1 };
    const { requestHash, bytes } = await aStandardEnvelope(key.publicKey, aContent(), home);
    expect(await examine(requestHash, bytes)).toMatchObject({ kind: "invalid" });
  });
  test("is invalid if it is encrypted to another key", async () => {
    const { publicKey } = await generateKey({ userIDs: [{ name: "other" }], format: "armored" });
    const { requestHash, bytes } = await aStandardEnvelope(publicKey, aContent());
    expect(await examine(requestHash, bytes)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining("cannot be read") as unknown,
    });
  });
  test.each([
    ["no proposal", "hello"],
    ["a proposal of an unknown version", JSON.stringify({ ...aContent(), version: 2 })],
    ["a proposal with something more in it", JSON.stringify({ ...aContent(), approve: true })],
  ])("is invalid if %s is inside", async (_, inside) => {
    const ciphertext = await sealTo(key.publicKey, inside);
    const bytes = writeEnvelope({ version: 1, form: "standard", ciphertext });
    expect(await examine(aWord(), bytes)).toMatchObject({ kind: "invalid" });
  });
  test("is invalid if the content lacks members that the hash covers", async () => {
    const { salt: _, ...content } = aContent();
    const ciphertext = await sealTo(key.publicKey, writeContent(content));
    const bytes = writeEnvelope({ version: 1, form: "standard", ciphertext });
    expect(await examine(aWord(), bytes)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining("lacks") as unknown,
    });
  });
});

describe("an envelope that the sender encrypted", () => {
  test("is sound if its outside has the request hash and its inside agrees", async () => {
    const content = aContent();
    const { executionType: _, deadline: __, salt: ___, ...inside } = content;
    for (const made of [
      await aSealedEnvelope(key.publicKey, content),
      await aSealedEnvelope(key.publicKey, content, { inside }),
    ])
      expect(await examine(made.requestHash, made.bytes)).toMatchObject({
        kind: "sound",
        privacy: "encrypted by the sender",
        bound: { to: content.to, value: BigInt(content.value), deadline: content.deadline },
      });
  });
  test.each([
    ["escrow", { escrow: anAddress() }],
    ["chain", { chainId: 10 }],
    ["execution type", { executionType: 2 as const }],
    ["deadline", { deadline: 1 }],
    ["salt", { salt: aWord() }],
  ])("is invalid if its inside names another %s, and binds only its outside", async (_, change) => {
    const content = aContent();
    const { requestHash, bytes } = await aSealedEnvelope(key.publicKey, content, {
      inside: { ...content, ...change },
    });
    const { escrow, chainId, deadline } = content;
    expect(await examine(requestHash, bytes)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining("contradicts the envelope") as unknown,
      bound: { ...nothingBound, escrow, chainId, deadline },
    });
  });
  test("is invalid under another request hash", async () => {
    const { bytes } = await aSealedEnvelope(key.publicKey, aContent());
    expect(await examine(aWord(), bytes)).toMatchObject({ kind: "invalid", bound: nothingBound });
  });
});

test("a decompression bomb is not unpacked", async () => {
  const { createMessage, encrypt, readKey, enums } = await import("openpgp");
  const armoured: unknown = await encrypt({
    message: await createMessage({ text: " ".repeat(20_000_000) }),
    encryptionKeys: await readKey({ armoredKey: key.publicKey }),
    config: { preferredCompressionAlgorithm: enums.compression.zlib },
  });
  const ciphertext = String(armoured);
  expect(ciphertext.length).toBeLessThan(256 * 1024);
  expect(await key.unseal(ciphertext)).toBeUndefined();
});

test("bytes that are not an envelope are invalid", async () => {
  for (const text of ["", "{}", "\u{1F600}", JSON.stringify({ version: 1, form: "open", ciphertext: "x" })])
    expect(await examine(aWord(), new TextEncoder().encode(text))).toMatchObject({ kind: "invalid" });
});

test("an unencrypted content is the proposal if it has the request hash", () => {
  const content = aContent({ executionType: 0 });
  const requestHash = hashProposal(domain, proposalOf(content));
  expect(examineContent({ domain, requestHash }, content)).toMatchObject({ kind: "sound" });
  expect(examineContent({ domain, requestHash: aWord() }, content)).toMatchObject({ kind: "invalid" });
});
