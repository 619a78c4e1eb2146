// Decrypts a push message as a browser does: RFC 8291 (aes128gcm), with the keys of the subscription.
import { createDecipheriv, hkdfSync, type ECDH } from "node:crypto";

export type BrowserKeys = { readonly ecdh: ECDH; readonly auth: Buffer };

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** Throws if the message was not encrypted for these keys, or has more than one record. */
export function decrypt(message: Buffer, { ecdh, auth }: BrowserKeys): string {
  const salt = message.subarray(0, 16);
  const recordSize = message.readUInt32BE(16);
  const idLength = message.readUInt8(20);
  const senderKey = message.subarray(21, 21 + idLength);
  const record = message.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error("more than one record");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createDecipheriv("aes-128-gcm", key, nonce);
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  // The last record ends with 0x02 and padding.
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString("utf8");
}
