// Keys in Google Cloud KMS, through the official client over REST. Credentials come from where that client looks for them:
// GOOGLE_APPLICATION_CREDENTIALS, or the account of the machine or of the pod.
import { createPublicKey } from "node:crypto";
import type * as Google from "@google-cloud/kms";
import { ConfigError } from "../config/index.ts";
import { crc32c } from "./crc32c.ts";
import { KeyServiceError, type KeyServiceErrorCode } from "./errors.ts";
import type { Connection, KmsKey } from "./kms-key.ts";
import { within } from "./within.ts";

/** Optional and large, so it is loaded only where a key of this service is configured. */
const load = (): Promise<typeof Google> =>
  import("@google-cloud/kms").catch(() => {
    throw new ConfigError([
      "A key in Google Cloud KMS is configured, and @google-cloud/kms is not installed",
    ]);
  });

/** The codes of gRPC that a retry does not change. */
const lasting: Readonly<Record<number, string>> = {
  3: "INVALID_ARGUMENT",
  5: "NOT_FOUND",
  7: "PERMISSION_DENIED",
  9: "FAILED_PRECONDITION",
  12: "UNIMPLEMENTED",
  16: "UNAUTHENTICATED",
};

const numberIn = (error: unknown): number => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "number" ? code : -1;
};

/** The service's answer to a ciphertext that does not open is the same as to a malformed request. */
const codeOf = (permission: string, code: number): KeyServiceErrorCode => {
  if (lasting[code] === undefined) return "unavailable";
  return permission === "cloudkms.cryptoKeyVersions.useToDecrypt" && code === 3 ? "does-not-open" : "refused";
};

type Bytes = Uint8Array | string | null | undefined;
/** A wrapper of a 64-bit number, as the client reads it. */
type Sum = { readonly value?: unknown } | null | undefined;

const sumOf = (bytes: Buffer): { readonly value: number } => ({ value: crc32c(bytes) });
const hasSum = (sum: Sum, bytes: Buffer): boolean =>
  (typeof sum?.value === "string" || typeof sum?.value === "number") && Number(sum.value) === crc32c(bytes);

const optionsOf = (url: string | undefined): Record<string, string | number | boolean> => {
  if (url === undefined) return { fallback: true };
  const { hostname, port, protocol } = new URL(url);
  const isPlain = protocol === "http:";
  return {
    ...{ fallback: true, apiEndpoint: hostname, protocol: isPlain ? "http" : "https" },
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
  };
};

const describe = (permission: string, name: string): string => `Google Cloud KMS, ${permission} with ${name}`;

type Call = <Answered>(permission: string, asking: Promise<[Answered, ...unknown[]]>) => Promise<Answered>;

/** Returns a function that waits for an answer and translates errors. */
const makeCall =
  (name: string, timeoutMs: number): Call =>
  async (permission, asking) => {
    const named = asking.catch((error: unknown) => {
      const code = numberIn(error);
      const reason = lasting[code] ?? (code === -1 ? "no answer" : `code ${code}`);
      throw new KeyServiceError(codeOf(permission, code), `${describe(permission, name)}: ${reason}`);
    });
    const [answer] = await within(timeoutMs, describe(permission, name), named);
    return answer;
  };

/** Checks what the service says it received, and what we received from it. */
function need(what: string, bytes: Bytes, sum: Sum, wasReceived: boolean): Buffer {
  if (bytes === null || bytes === undefined)
    throw new KeyServiceError("unavailable", `Google Cloud KMS, ${what}: an empty answer`);
  const read = typeof bytes === "string" ? Buffer.from(bytes, "base64") : Buffer.from(bytes);
  if (!wasReceived || !hasSum(sum, read))
    throw new KeyServiceError("unavailable", `Google Cloud KMS, ${what}: bytes changed on the way`);
  return read;
}

function checkName(permission: string, name: string, isRight: boolean): void {
  if (!isRight)
    throw new KeyServiceError("wrong-key", `${describe(permission, name)}: the answer is of another key`);
}

/** Without credentials a call of the client also rejects a promise that nothing handles, which would end the process. */
async function findCredentials(
  { auth }: InstanceType<typeof Google.KeyManagementServiceClient>,
  timeoutMs: number,
): Promise<void> {
  const finding = auth.getClient().catch(() => {
    throw new KeyServiceError(
      "refused",
      "Google Cloud KMS: no credentials found. Set GOOGLE_APPLICATION_CREDENTIALS, or run with a service account",
    );
  });
  await within(timeoutMs, "Google Cloud KMS, credentials", finding);
}

export async function connectGoogleKey(
  { name }: { readonly name: string },
  { url, timeoutMs }: Connection,
): Promise<KmsKey> {
  const { KeyManagementServiceClient } = await load();
  const client = new KeyManagementServiceClient(optionsOf(url));
  await findCredentials(client, timeoutMs);
  const options = { timeout: timeoutMs };
  const call = makeCall(name, timeoutMs);
  return {
    name,
    encrypt: async (plaintext, aad) => {
      const permission = "cloudkms.cryptoKeyVersions.useToEncrypt";
      const request = { name, plaintext, additionalAuthenticatedData: aad };
      const sums = { plaintextCrc32c: sumOf(plaintext), additionalAuthenticatedDataCrc32c: sumOf(aad) };
      const answer = await call(permission, client.encrypt({ ...request, ...sums }, options));
      checkName(permission, name, answer.name?.startsWith(`${name}/cryptoKeyVersions/`) === true);
      const { verifiedPlaintextCrc32c: one, verifiedAdditionalAuthenticatedDataCrc32c: other } = answer;
      return need(permission, answer.ciphertext, answer.ciphertextCrc32c, one === true && other === true);
    },
    decrypt: async (ciphertext, aad) => {
      const permission = "cloudkms.cryptoKeyVersions.useToDecrypt";
      const request = { name, ciphertext, additionalAuthenticatedData: aad };
      const sums = { ciphertextCrc32c: sumOf(ciphertext), additionalAuthenticatedDataCrc32c: sumOf(aad) };
      const answer = await call(permission, client.decrypt({ ...request, ...sums }, options));
      return need(permission, answer.plaintext, answer.plaintextCrc32c, true);
    },
    readPublicKey: async () => {
      const permission = "cloudkms.cryptoKeyVersions.viewPublicKey";
      const answer = await call(permission, client.getPublicKey({ name }, options));
      checkName(permission, name, answer.name === name);
      const pem = Buffer.from(answer.pem ?? "");
      return createPublicKey(need(permission, pem, answer.pemCrc32c, true));
    },
    signDigest: async (digest) => {
      const permission = "cloudkms.cryptoKeyVersions.useToSign";
      const request = { name, digest: { sha256: digest }, digestCrc32c: sumOf(digest) };
      const answer = await call(permission, client.asymmetricSign(request, options));
      checkName(permission, name, answer.name === name);
      const { signature, signatureCrc32c, verifiedDigestCrc32c } = answer;
      return need(permission, signature, signatureCrc32c, verifiedDigestCrc32c === true);
    },
  };
}
