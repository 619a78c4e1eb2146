import { deflateRawSync } from "node:zlib";
import {
  armor,
  createMessage,
  enums,
  generateKey,
  readKey,
  readMessage,
  readPrivateKey,
  type PrivateKey,
} from "openpgp";
import { beforeAll, describe, expect, test } from "vitest";
import { aKeyPair } from "../../../test/pgp-keys.ts";
import { checkSealedPayload } from "./sealed-by-sender.ts";
import { encryptTo, signPgp } from "../../../test/transactions.ts";

const clock = { now: () => new Date() };
type Pair = Awaited<ReturnType<typeof aKeyPair>>;

let service: Pair;
let owner: Pair;
let signer: PrivateKey;
let payload: string;
beforeAll(async () => {
  [service, owner] = await Promise.all([aKeyPair(), aKeyPair()]);
  signer = await readPrivateKey({ armoredKey: owner.privateKey });
  payload = await encryptTo([service.publicKey], "x");
});

/** Signed by the owner unless another signature is given. */
async function check(
  encryptedPayload: string,
  {
    payloadSignature,
    serviceKey = service.publicKey,
  }: { payloadSignature?: string; serviceKey?: string } = {},
): Promise<string> {
  const signature = payloadSignature ?? (await signPgp(encryptedPayload, signer));
  try {
    const keys = { service: serviceKey, owner: owner.publicKey };
    await checkSealedPayload({ encryptedPayload, payloadSignature: signature }, keys, clock);
    return "taken";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function withAnotherPacket(where: "first" | "last", packet: Uint8Array): Promise<string> {
  const message = await readMessage({ armoredMessage: payload });
  const parts = [Buffer.from(message.write() as Uint8Array), Buffer.from(packet)];
  return armor(enums.armor.message, Buffer.concat(where === "first" ? parts.reverse() : parts));
}

describe("an encrypted payload", () => {
  test("is accepted if the service can decrypt it and the owner signed it", async () => {
    expect(await check(payload)).toBe("taken");
    expect(await check(payload.replaceAll("\n", "\r\n"))).toBe("taken");
  });
  test("is accepted for any of the service's encryption subkeys", async () => {
    const userIDs = [{ email: "service@example.org" }];
    const several = await generateKey({ userIDs, subkeys: [{}, {}], format: "armored" });
    const subkeys = (await readKey({ armoredKey: several.publicKey })).getSubkeys();
    expect(subkeys).toHaveLength(2);
    for (const subkey of subkeys) {
      const encrypted = await encryptTo([several.publicKey], "x", { encryptionKeyIDs: [subkey.getKeyID()] });
      expect(await check(encrypted, { serviceKey: several.publicKey })).toBe("taken");
    }
  });
  test("is rejected if it is for others, or for hidden recipients", async () => {
    const other = (await aKeyPair()).publicKey;
    expect(await check(await encryptTo([other], "x"))).toBe("transactions.payload-for-others");
    expect(await check(await encryptTo([service.publicKey], "x", { wildcard: true }))).toBe(
      "transactions.payload-for-unknown",
    );
  });
  test("is rejected for a service whose key has expired", async () => {
    const { publicKey } = await aKeyPair({ date: new Date("2020-01-01"), keyExpirationTime: 3600 });
    const encrypted = await encryptTo([publicKey], "x", { date: new Date("2020-01-01T00:10:00Z") });
    expect(await check(encrypted, { serviceKey: publicKey })).toBe("transactions.payload-for-others");
  });
  test("is rejected if a password also decrypts it", async () => {
    const encrypted = await encryptTo([service.publicKey], "x", { passwords: ["guess"] });
    expect(await check(encrypted)).toBe("transactions.payload-malformed");
  });
  test("is rejected if it is not exactly one message", async () => {
    const literal = (await createMessage({ binary: Buffer.from("x") })).write() as Uint8Array;
    const texts = [
      "",
      "hello",
      (await createMessage({ text: "x" })).armor(),
      await signPgp("x", signer, { isDetached: false }),
      service.publicKey,
      payload + payload,
      `a word before\n${payload}`,
      `${payload}a word after`,
      payload.slice(0, -40),
      await withAnotherPacket("first", literal),
      await withAnotherPacket("last", literal),
    ];
    for (const text of texts) expect(await check(text)).toBe("transactions.payload-malformed");
  });
  // A few bytes could decompress to any amount of data.
  test("is rejected if the encrypted message is compressed", async () => {
    const body = Buffer.concat([Buffer.from([1]), deflateRawSync(Buffer.alloc(1_000_000))]);
    const header = Buffer.alloc(6);
    header.writeUInt8(0xc8, 0);
    header.writeUInt8(0xff, 1);
    header.writeUInt32BE(body.length, 2);
    const text = armor(enums.armor.message, Buffer.concat([header, body]));
    expect(await check(text)).toBe("transactions.payload-malformed");
  });
});

describe("its signature", () => {
  const refused = "transactions.payload-signature-invalid";
  test("is accepted over the bytes and over the text, and from a clock that is minutes ahead", async () => {
    const signatures = [
      await signPgp(Buffer.from(payload), signer),
      await signPgp(payload, signer),
      await signPgp(payload, signer, { date: new Date(Date.now() + 5 * 60_000) }),
    ];
    for (const payloadSignature of signatures)
      expect(await check(payload, { payloadSignature })).toBe("taken");
  });
  test("is rejected by another key, over anything else, twice, or in another form", async () => {
    const stranger = await readPrivateKey({ armoredKey: (await aKeyPair()).privateKey });
    const good = await signPgp(payload, signer);
    const wrong = [
      await signPgp(payload, stranger),
      await signPgp(payload, [signer, stranger]),
      await signPgp(`${payload} `, signer),
      await signPgp(payload, signer, { isDetached: false }),
      good + good,
      `${good}and more`,
      "nonsense",
      "",
    ];
    for (const payloadSignature of wrong) expect(await check(payload, { payloadSignature })).toBe(refused);
  });
  test("is rejected if it was made too far in the future", async () => {
    const payloadSignature = await signPgp(payload, signer, { date: new Date(Date.now() + 60 * 60_000) });
    expect(await check(payload, { payloadSignature })).toBe(refused);
  });
});
