import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { anRsaKey } from "../../../../../../tools/stand-ins/custodian/testing.ts";
import { signToken } from "../../../../../../tools/stand-ins/custodian/tokens.ts";
import { readQuestion } from "./read-question.ts";
import { aQuestion } from "../../../../test/transactions/execute/cosign.ts";

const now = new Date("2026-01-01T00:00:00Z");
const seconds = now.getTime() / 1000;
const clock = { now: () => now };
const keys = anRsaKey();
const publicKey = keys.publicKey.export({ format: "pem", type: "spki" }).toString();
const question = aQuestion({ vaultAccountId: "0" }, { iat: seconds });
const good = signToken(question, keys.privateKey);

const read = (token: string, key: string | null = publicKey) =>
  readQuestion({ token, publicKey: key, clock });
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("a request", () => {
  test("is what the co-signer signed, whatever surrounds the token", async () => {
    const { requestId, txId } = question;
    for (const token of [good, ` ${good}\n`]) expect(await read(token)).toMatchObject({ requestId, txId });
  });
  test.each([
    ["without saying when", { iat: undefined }],
    ["five minutes ago", { iat: seconds - 300 }],
    ["by a clock that is a minute ahead", { iat: seconds + 60 }],
  ])("may be sent %s", async (_when, changes) => {
    const token = signToken({ ...question, ...changes }, keys.privateKey);
    expect(await read(token)).toMatchObject({ txId: question["txId"] });
  });
  test.each([
    ["too old", { iat: seconds - 301 }],
    ["from the future", { iat: seconds + 61 }],
    ["from no time that there is", { iat: "now" }],
    ["out of date by its own word", { exp: seconds - 61 }],
    ["not yet meant to be read", { nbf: seconds + 61 }],
  ])("is rejected when it is %s", async (_when, changes) => {
    const token = signToken({ ...question, ...changes }, keys.privateKey);
    await expect(read(token)).rejects.toMatchObject({ code: "cosigner.unproven" });
  });

  const signed = (head: object, signature: (over: string) => Buffer): string => {
    const over = `${encode(head)}.${encode(question)}`;
    return `${over}.${signature(over).toString("base64url")}`;
  };
  const rsa = (hash: string) => (over: string) => sign(hash, Buffer.from(over), keys.privateKey);
  test.each([
    ["with another key", signToken(question, anRsaKey().privateKey)],
    ["with another hash", signed({ alg: "RS512" }, rsa("sha512"))],
    ["not at all", signed({ alg: "none" }, () => Buffer.alloc(0))],
    [
      "with the public key as if it were a secret",
      signed({ alg: "HS256" }, (over) => createHmac("sha256", publicKey).update(over).digest()),
    ],
    ["with an unknown algorithm", signed({ alg: "RS256", crit: ["x"], x: 1 }, rsa("sha256"))],
    ["over something else", good.replace(/\.[^.]+\./, `.${encode({ ...question, txId: "x" })}.`)],
  ])("is rejected when it is signed %s", async (_how, token) => {
    await expect(read(token)).rejects.toMatchObject({ code: "cosigner.unproven" });
  });
  test.each(["", "a", "a.b", "a.b.c", "{}", "..", `${good}.a`, good.slice(0, -2)])(
    "is rejected if it is not a token: %#",
    async (token) => {
      await expect(read(token)).rejects.toMatchObject({ code: "cosigner.unproven" });
    },
  );
  test("is rejected where no key is set, and the error does not repeat the token", async () => {
    const refused: unknown = await read(good, null).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "cosigner.unproven", status: 401 });
    expect(JSON.stringify(refused)).not.toContain(good.slice(0, 20));
  });
  test("is rejected under a key of another kind", async () => {
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
    const pem = curve.export({ format: "pem", type: "spki" }).toString();
    await expect(read(good, pem)).rejects.toThrow();
  });
  test.each([
    { requestId: undefined },
    { txId: undefined },
    { requestId: "" },
    { txId: 5 },
    { txId: "a\nb" },
    { txId: "x".repeat(129) },
    { rawTx: "02" },
    { rawTx: [{}] },
    { sourceId: 0 },
  ])("is malformed with %j", async (changes) => {
    const token = signToken({ ...question, ...changes }, keys.privateKey);
    await expect(read(token)).rejects.toMatchObject({ code: "cosigner.malformed", status: 400 });
  });
});
