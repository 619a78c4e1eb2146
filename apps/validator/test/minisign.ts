/** Signs as the tool minisign does, with a key made here. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export type TestKey = {
  /** As it is pinned in LIST_KEYS. */
  readonly publicKey: string;
  readonly id: string;
  readonly sign: (content: string, options?: { readonly isHashed?: boolean }) => string;
};

export function makeTestKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const id = randomBytes(8);
  return {
    publicKey: Buffer.concat([Buffer.from("Ed"), id, raw]).toString("base64"),
    id: Buffer.from(id).reverse().toString("hex").toUpperCase(),
    sign: (content, { isHashed = true } = {}) => {
      const message = isHashed ? createHash("blake2b512").update(content).digest() : Buffer.from(content);
      const signature = sign(null, message, privateKey);
      const comment = "timestamp:1790000000\tfile:list.json";
      const all = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
      const body = Buffer.concat([Buffer.from(isHashed ? "ED" : "Ed"), id, signature]).toString("base64");
      return `untrusted comment: a test\n${body}\ntrusted comment: ${comment}\n${all.toString("base64")}\n`;
    },
  };
}
