// The symmetric signatures of https://www.standardwebhooks.com: v1, HMAC-SHA256.
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
const keyBytes = 32;

export const makeSigningKey = (): Buffer => randomBytes(keyBytes);

/** The form in which a receiver configures the key. */
export const secretTextOf = (key: Buffer): string => `${prefix}${key.toString("base64")}`;

type Signed = {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: string;
  /** The current key first. Receivers accept the signature of any key that they know. */
  readonly keys: readonly Buffer[];
};

/** Returns the headers of a message. The timestamp is that of the attempt, so that receivers can reject old ones. */
export function signatureHeaders({ id, timestamp, body, keys }: Signed): Record<string, string> {
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const sign = (key: Buffer): string =>
    `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": keys.map(sign).join(" "),
  };
}
