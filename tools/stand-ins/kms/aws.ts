// A test double of AWS KMS: the four calls that we use, with real cryptography and checked signatures.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Behaviour } from "./behaviours.ts";
import { damage, decryptWith, encryptWith, makeKeyStore, signWith, type StoredKey } from "./keys.ts";
import { serveJson, type Answer, type Received } from "./serve.ts";
import { problemOfSignature, type Credentials } from "./sigv4.ts";

const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const context = z.record(z.string(), z.string());
const Encrypt = z.strictObject({ KeyId: z.string(), Plaintext: bytes, EncryptionContext: context });
const Decrypt = z.strictObject({ KeyId: z.string(), CiphertextBlob: bytes, EncryptionContext: context });
const GetPublicKey = z.strictObject({ KeyId: z.string() });
const Sign = z.strictObject({
  KeyId: z.string(),
  Message: bytes.refine((digest) => digest.length === 32),
  MessageType: z.literal("DIGEST"),
  SigningAlgorithm: z.literal("ECDSA_SHA_256"),
});

const refuse = (name: string, status = 400): Answer => ({
  status,
  body: { __type: name, message: `refused with ${name}` },
});
const encode = (part: Buffer): string => part.toString("base64");
const canonical = (pairs: Record<string, string>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(pairs).toSorted()));

type Wrapping = StoredKey & { kind: "wrapping" };
type Signing = StoredKey & { kind: "signing" };

const wrappingCalls: Readonly<Record<string, (key: Wrapping, how: Behaviour, body: unknown) => Answer>> = {
  Encrypt: (key, how, body) => {
    const { KeyId, Plaintext, EncryptionContext } = Encrypt.parse(body);
    const made = encryptWith(key, how, Plaintext, canonical(EncryptionContext));
    return { status: 200, body: { KeyId, CiphertextBlob: encode(damage(made, how)) } };
  },
  Decrypt: (key, how, body) => {
    const { KeyId, CiphertextBlob, EncryptionContext } = Decrypt.parse(body);
    const opened = decryptWith(key, how, CiphertextBlob, canonical(EncryptionContext));
    if (opened === undefined) return refuse("InvalidCiphertextException");
    return { status: 200, body: { KeyId, Plaintext: encode(opened) } };
  },
};

const signingCalls: Readonly<
  Record<string, (key: Signing, how: Behaviour, body: unknown) => Promise<Answer>>
> = {
  GetPublicKey: async (key, how, body) => {
    const { KeyId } = GetPublicKey.parse(body);
    const pair = how === "uses-another-key" ? key.other : key.pair;
    const der = pair.publicKey.export({ format: "der", type: "spki" });
    return { status: 200, body: { KeyId, PublicKey: encode(der), KeyUsage: "SIGN_VERIFY" } };
  },
  Sign: async (key, how, body) => {
    const { KeyId, Message } = Sign.parse(body);
    const made = await signWith(key, how, Message);
    return { status: 200, body: { KeyId, Signature: encode(damage(made, how)) } };
  },
};

export type KmsStandIn = {
  readonly url: string;
  /** The names of the calls whose signature was right, oldest first. */
  readonly calls: string[];
  readonly behave: (how: Behaviour) => void;
  readonly addWrappingKey: () => string;
  readonly addSigningKey: () => { readonly name: string; readonly address: `0x${string}` };
  readonly addKeyOnAnotherCurve: () => string;
  readonly close: () => Promise<void>;
};

export async function startAwsKms(credentials: Credentials): Promise<KmsStandIn> {
  let how: Behaviour = "good";
  const calls: string[] = [];
  const keys = makeKeyStore();
  const newName = (): string => `arn:aws:kms:${credentials.region}:111122223333:key/${randomUUID()}`;

  async function perform(call: string, key: StoredKey, body: unknown): Promise<Answer> {
    const run = key.kind === "wrapping" ? undefined : signingCalls[call];
    if (key.kind === "signing" && run !== undefined) return run(key, how, body);
    const wrap = wrappingCalls[call];
    if (key.kind === "wrapping" && wrap !== undefined) return wrap(key, how, body);
    return refuse("InvalidKeyUsageException");
  }

  async function answer(request: Received): Promise<Answer | undefined> {
    const problem = problemOfSignature(request, credentials);
    if (problem !== undefined) return refuse(problem, 403);
    const [, call = ""] = String(request.headers["x-amz-target"]).split(".");
    calls.push(call);
    if (how === "slow") return undefined;
    if (how === "fails") return refuse("KMSInternalException", 500);
    if (how === "limits") return refuse("ThrottlingException");
    const text = request.body.toString();
    if (how === "denies")
      return { status: 400, body: { __type: "AccessDeniedException", message: `denied: ${text}` } };
    const body = JSON.parse(text) as { KeyId?: string };
    const key = keys.find(body.KeyId ?? "");
    if (key === undefined) return refuse("NotFoundException");
    const answered = await perform(call, key, body);
    if (how !== "names-another-key") return answered;
    return { ...answered, body: { ...(answered.body as object), KeyId: newName() } };
  }

  return {
    ...(await serveJson("application/x-amz-json-1.1", (request) =>
      answer(request).catch(() => refuse("ValidationException")),
    )),
    calls,
    behave: (next) => {
      how = next;
    },
    addWrappingKey: () => keys.addWrapping(newName()),
    addSigningKey: () => {
      const name = newName();
      return { name, address: keys.addSigning(name) };
    },
    addKeyOnAnotherCurve: () => {
      const name = newName();
      keys.addOnAnotherCurve(name);
      return name;
    },
  };
}
