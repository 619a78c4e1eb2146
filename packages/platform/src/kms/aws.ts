// Keys in AWS KMS, through the official client. Credentials come from where that client looks for them: the environment, a
// role of the machine or of the pod.
import { createPublicKey } from "node:crypto";
import type * as Aws from "@aws-sdk/client-kms";
import { ConfigError } from "../config/index.ts";
import { codeIn, KeyServiceError, type KeyServiceErrorCode } from "./errors.ts";
import type { Connection, KmsKey } from "./kms-key.ts";
import { within } from "./within.ts";

/** Optional and large, so it is loaded only where a key of this service is configured. */
const load = (): Promise<typeof Aws> =>
  import("@aws-sdk/client-kms").catch(() => {
    throw new ConfigError(["A key in AWS KMS is configured, and @aws-sdk/client-kms is not installed"]);
  });

const otherKey = new Set(["InvalidCiphertextException", "IncorrectKeyException"]);
const temporary = /Throttl|LimitExceeded|Timeout|KMSInternal|DependencyTimeout|KeyUnavailable|AbortError/;

function codeOf(name: string, fault: unknown): KeyServiceErrorCode {
  if (otherKey.has(name)) return "does-not-open";
  return fault === "client" && !temporary.test(name) ? "refused" : "unavailable";
}

/** The value of an encryption context is text, and is written to the service's audit log. */
const contextOf = (aad: Buffer): Record<string, string> => ({ countersign: aad.toString("base64") });

type Answer = { readonly KeyId?: string | undefined };
type Call = <Answered extends Answer>(
  permission: string,
  ask: (options: { readonly abortSignal: AbortSignal }) => Promise<Answered>,
) => Promise<Answered>;

/** Returns a function that asks, translates errors, and rejects answers of another key. */
const makeCall =
  (aws: typeof Aws, name: string, timeoutMs: number): Call =>
  async (permission, ask) => {
    const what = `AWS KMS, ${permission} with ${name}`;
    const asking = ask({ abortSignal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
      const code = codeIn(error instanceof Error ? error.name : undefined);
      const fault = error instanceof aws.KMSServiceException ? error.$fault : undefined;
      throw new KeyServiceError(codeOf(code, fault), `${what}: ${code}`);
    });
    const answer = await within(timeoutMs, what, asking);
    if (answer.KeyId !== name)
      throw new KeyServiceError("wrong-key", `${what}: the answer is of another key`);
    return answer;
  };

function need(what: string, bytes: Uint8Array | undefined): Buffer {
  if (bytes === undefined) throw new KeyServiceError("unavailable", `AWS KMS, ${what}: an empty answer`);
  return Buffer.from(bytes);
}

export async function connectAwsKey(
  { name, region }: { readonly name: string; readonly region: string },
  { url, timeoutMs }: Connection,
): Promise<KmsKey> {
  const aws = await load();
  const client = new aws.KMSClient({ region, ...(url === undefined ? {} : { endpoint: url }) });
  const call = makeCall(aws, name, timeoutMs);
  return {
    name,
    encrypt: async (plaintext, aad) => {
      const command = new aws.EncryptCommand({
        ...{ KeyId: name, Plaintext: plaintext, EncryptionContext: contextOf(aad) },
      });
      const answer = await call("kms:Encrypt", (options) => client.send(command, options));
      return need("kms:Encrypt", answer.CiphertextBlob);
    },
    decrypt: async (ciphertext, aad) => {
      const command = new aws.DecryptCommand({
        ...{ KeyId: name, CiphertextBlob: ciphertext, EncryptionContext: contextOf(aad) },
      });
      const answer = await call("kms:Decrypt", (options) => client.send(command, options));
      return need("kms:Decrypt", answer.Plaintext);
    },
    readPublicKey: async () => {
      const command = new aws.GetPublicKeyCommand({ KeyId: name });
      const answer = await call("kms:GetPublicKey", (options) => client.send(command, options));
      const key = need("kms:GetPublicKey", answer.PublicKey);
      return createPublicKey({ key, format: "der", type: "spki" });
    },
    signDigest: async (digest) => {
      const command = new aws.SignCommand({
        ...{ KeyId: name, Message: digest, MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" },
      });
      const answer = await call("kms:Sign", (options) => client.send(command, options));
      return need("kms:Sign", answer.Signature);
    },
  };
}
