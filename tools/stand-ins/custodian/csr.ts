// Reads a certificate signing request, which proves possession of the private key.
import { createPublicKey, verify, type KeyObject } from "node:crypto";

/** Throws if it is malformed or not signed with its own key. */
export function readPublicKey(pem: string): KeyObject {
  const base64 = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\s\S]+?)-----END/.exec(pem)?.[1];
  if (base64 === undefined) throw new Error("no certificate signing request");
  const [info, , signature] = membersOf(elementAt(Buffer.from(base64, "base64"), 0));
  // A version, a subject, the key, and what else was asked for.
  const key = info === undefined ? undefined : membersOf(info)[2];
  if (info === undefined || key === undefined || signature === undefined)
    throw new Error("the certificate signing request is cut short");
  const publicKey = createPublicKey({ key: key.whole, format: "der", type: "spki" });
  // A string of bits begins with the number of bits that do not count.
  const signed = signature.content.subarray(1);
  if (!["sha256", "sha384", "sha512"].some((hash) => verify(hash, info.whole, publicKey, signed)))
    throw new Error("the certificate signing request is not signed with its own key");
  return publicKey;
}

type Element = { readonly whole: Buffer; readonly content: Buffer };

/** DER: a byte of kind, the length in one byte or, from 128 on, in as many as the first one says, the content. */
function elementAt(bytes: Buffer, start: number): Element {
  const first = bytes.readUInt8(start + 1);
  const more = first < 128 ? 0 : first - 128;
  const length = more === 0 ? first : bytes.readUIntBE(start + 2, more);
  const from = start + 2 + more;
  if (from + length > bytes.length) throw new Error("the certificate signing request is cut short");
  return { whole: bytes.subarray(start, from + length), content: bytes.subarray(from, from + length) };
}

function membersOf({ content }: Element): readonly Element[] {
  const members: Element[] = [];
  for (let at = 0; at < content.length;) {
    const member = elementAt(content, at);
    members.push(member);
    at += member.whole.length;
  }
  return members;
}
