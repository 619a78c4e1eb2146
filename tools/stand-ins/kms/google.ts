// A test double of Google Cloud KMS over REST: the four calls that we use, with real cryptography, checksums and tokens.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { crc32c } from "../../../packages/platform/src/kms/crc32c.ts";
import type { KmsStandIn } from "./aws.ts";
import type { Behaviour } from "./behaviours.ts";
import { accountOf, isAuthorized } from "./bearer.ts";
import { damage, decryptWith, encryptWith, makeKeyStore, signWith, type StoredKey } from "./keys.ts";
import { serveJson, type Answer, type Received } from "./serve.ts";

const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const sum = z.coerce.number().int();
const aad = { additionalAuthenticatedData: bytes, additionalAuthenticatedDataCrc32c: sum };
const Encrypt = z.looseObject({ plaintext: bytes, plaintextCrc32c: sum, ...aad });
const Decrypt = z.looseObject({ ciphertext: bytes, ciphertextCrc32c: sum, ...aad });
const Sign = z.looseObject({
  digest: z.strictObject({ sha256: bytes.refine((digest) => digest.length === 32) }),
  digestCrc32c: sum,
});

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
};
const refuse = (code: number, message = "refused"): Answer => ({
  status: code,
  body: { error: { code, message, status: statusNames[code] } },
});
const encode = (part: Buffer): string => part.toString("base64");
/** 64-bit numbers are text in the JSON form. */
const sumText = (part: Buffer): string => String(crc32c(part));

type Call = {
  readonly name: string;
  readonly verb: string;
  readonly key: StoredKey;
  readonly how: Behaviour;
  readonly body: unknown;
};

async function perform({ name, verb, key, how, body }: Call): Promise<Answer> {
  if (verb === "encrypt" && key.kind === "wrapping") {
    const asked = Encrypt.parse(body);
    const ciphertext = encryptWith(key, how, asked.plaintext, asked.additionalAuthenticatedData);
    const made = {
      ciphertext: encode(damage(ciphertext, how)),
      ciphertextCrc32c: sumText(ciphertext),
      verifiedPlaintextCrc32c: crc32c(asked.plaintext) === asked.plaintextCrc32c,
      verifiedAdditionalAuthenticatedDataCrc32c:
        crc32c(asked.additionalAuthenticatedData) === asked.additionalAuthenticatedDataCrc32c,
    };
    return { status: 200, body: { name: `${name}/cryptoKeyVersions/1`, ...made } };
  }
  if (verb === "decrypt" && key.kind === "wrapping") {
    const asked = Decrypt.parse(body);
    const opened = decryptWith(key, how, asked.ciphertext, asked.additionalAuthenticatedData);
    if (opened === undefined) return refuse(400, "Decryption failed: the ciphertext is invalid.");
    const made = { plaintext: encode(damage(opened, how)), plaintextCrc32c: sumText(opened) };
    return { status: 200, body: made };
  }
  if (verb === "publicKey" && key.kind === "signing") {
    const pair = how === "uses-another-key" ? key.other : key.pair;
    const pem = pair.publicKey.export({ format: "pem", type: "spki" }).toString();
    return { status: 200, body: { name, pem, pemCrc32c: sumText(Buffer.from(pem)) } };
  }
  if (verb === "asymmetricSign" && key.kind === "signing") {
    const asked = Sign.parse(body);
    const made = await signWith(key, how, asked.digest.sha256);
    return {
      status: 200,
      body: {
        name,
        signature: encode(damage(made, how)),
        signatureCrc32c: sumText(made),
        verifiedDigestCrc32c: crc32c(asked.digest.sha256) === asked.digestCrc32c,
      },
    };
  }
  return refuse(400, "the key has another purpose");
}

/** `account` is the file of a service account, as its owner downloads it. */
export async function startGoogleKms(account: {
  readonly client_email: string;
  readonly private_key: string;
}): Promise<KmsStandIn> {
  let how: Behaviour = "good";
  const calls: string[] = [];
  const keys = makeKeyStore();
  const authorized = accountOf(account);
  const newName = (): string =>
    `projects/example/locations/europe-west3/keyRings/countersign/cryptoKeys/${randomUUID()}`;
  const newVersion = (): string => `${newName()}/cryptoKeyVersions/1`;

  async function answer({ method, url, headers, body }: Received): Promise<Answer | undefined> {
    if (!isAuthorized(headers.authorization, authorized)) return refuse(401);
    const [, name = "", verb = ""] =
      /^\/v1\/(projects\/[^:]+?)(?::|\/)(\w+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    calls.push(verb);
    if (how === "slow") return undefined;
    if (how === "fails") return refuse(500);
    if (how === "limits") return refuse(429);
    if (how === "denies") return refuse(403, `denied: ${body.toString()}`);
    const key = keys.find(name);
    if (key === undefined) return refuse(404);
    const sent: unknown = method === "GET" ? undefined : JSON.parse(body.toString());
    const answered = await perform({ name, verb, key, how, body: sent });
    if (how !== "names-another-key") return answered;
    return { ...answered, body: { ...(answered.body as object), name: newVersion() } };
  }

  return {
    ...(await serveJson("application/json", (request) => answer(request).catch(() => refuse(400)))),
    calls,
    behave: (next) => {
      how = next;
    },
    addWrappingKey: () => keys.addWrapping(newName()),
    addSigningKey: () => {
      const name = newVersion();
      return { name, address: keys.addSigning(name) };
    },
    addKeyOnAnotherCurve: () => {
      const name = newVersion();
      keys.addOnAnotherCurve(name);
      return name;
    },
  };
}
