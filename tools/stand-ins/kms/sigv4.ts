// Verifies a request's signature as AWS does (Signature Version 4).
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Received } from "./serve.ts";

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
};

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
const toleranceMs = 5 * 60_000;

const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

/** Returns the name of the service's error, or undefined if the signature is right. */
export function problemOfSignature(
  { method, url, headers, body }: Received,
  { accessKeyId, secretAccessKey, region }: Credentials,
): string | undefined {
  const parsed = form.exec(headers.authorization ?? "");
  if (parsed === null) return "MissingAuthenticationTokenException";
  const [, id, date = "", where, names = "", signature = ""] = parsed;
  const time = String(headers["x-amz-date"]);
  if (id !== accessKeyId) return "UnrecognizedClientException";
  if (where !== region || !time.startsWith(date)) return "InvalidSignatureException";
  if (!(Math.abs(Date.now() - timeOf(time)) < toleranceMs)) return "RequestExpired";
  const signed = names.split(";");
  // A header that is not signed could be changed on the way.
  if (!["host", "x-amz-date", "x-amz-target"].every((name) => signed.includes(name)))
    return "IncompleteSignature";
  const canonical = [
    ...[method, url.pathname, url.searchParams.toString()],
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    ...["", names, sha256(body)],
  ].join("\n");
  const scope = `${date}/${region}/kms/aws4_request`;
  const key = ["kms", "aws4_request"].reduce<Buffer>(
    (last, text) => hmac(last, text),
    hmac(hmac(`AWS4${secretAccessKey}`, date), region),
  );
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n"));
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "InvalidSignatureException";
}
