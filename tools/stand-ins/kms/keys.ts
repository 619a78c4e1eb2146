// The keys of both stand-ins, and the operations on them.
import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign as signWithNode,
  type KeyObject,
} from "node:crypto";
import { generatePrivateKey, privateKeyToAddress, sign } from "viem/accounts";
import type { Behaviour } from "./behaviours.ts";

type Pair = { readonly publicKey: KeyObject; readonly sign: (digest: Buffer) => Promise<Buffer> };
export type StoredKey =
  | { readonly kind: "wrapping"; readonly secret: Buffer; readonly other: Buffer }
  | { readonly kind: "signing"; readonly pair: Pair; readonly other: Pair };

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function writeInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  const body = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  return Buffer.concat([Buffer.from([0x02, body.length]), body]);
}

/** Writes a signature in DER. */
function writeDer(r: bigint, s: bigint): Buffer {
  const body = Buffer.concat([writeInteger(r), writeInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

/** Uses the upper s for half of the digests, as the services do. */
function makeSecp256k1Pair(): Pair & { readonly address: `0x${string}` } {
  const privateKey = generatePrivateKey();
  const ecdh = createECDH("secp256k1");
  ecdh.setPrivateKey(Buffer.from(privateKey.slice(2), "hex"));
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  return {
    address: privateKeyToAddress(privateKey),
    publicKey: createPublicKey({
      key: { kty: "EC", crv: "secp256k1", x: x ?? "", y: y ?? "" },
      format: "jwk",
    }),
    sign: async (digest) => {
      const { r, s } = await sign({ hash: `0x${digest.toString("hex")}`, privateKey });
      return writeDer(BigInt(r), (digest[31] ?? 0) % 2 === 0 ? BigInt(s) : order - BigInt(s));
    },
  };
}

function makeP256Pair(): Pair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { publicKey, sign: async (digest) => signWithNode("sha256", digest, privateKey) };
}

/** A key by its name at the service. */
export type KeyStore = {
  readonly find: (name: string) => StoredKey | undefined;
  readonly addWrapping: (name: string) => string;
  /** Returns the address of a new key pair. */
  readonly addSigning: (name: string) => `0x${string}`;
  /** A key pair that Ethereum cannot use. */
  readonly addOnAnotherCurve: (name: string) => void;
};

export function makeKeyStore(): KeyStore {
  const keys = new Map<string, StoredKey>();
  return {
    find: (name) => keys.get(name),
    addWrapping: (name) => {
      keys.set(name, { kind: "wrapping", secret: randomBytes(32), other: randomBytes(32) });
      return name;
    },
    addSigning: (name) => {
      const pair = makeSecp256k1Pair();
      keys.set(name, { kind: "signing", pair, other: makeSecp256k1Pair() });
      return pair.address;
    },
    addOnAnotherCurve: (name) => {
      keys.set(name, { kind: "signing", pair: makeP256Pair(), other: makeP256Pair() });
    },
  };
}

const secretOf = (key: StoredKey & { kind: "wrapping" }, how: Behaviour): Buffer =>
  how === "uses-another-key" ? key.other : key.secret;

export function encryptWith(
  key: StoredKey & { kind: "wrapping" },
  how: Behaviour,
  plaintext: Buffer,
  aad: Buffer,
): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secretOf(key, how), nonce).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined for what this key did not encrypt with this additional data. */
export function decryptWith(
  key: StoredKey & { kind: "wrapping" },
  how: Behaviour,
  ciphertext: Buffer,
  aad: Buffer,
): Buffer | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", secretOf(key, how), ciphertext.subarray(0, 12))
      .setAAD(aad)
      .setAuthTag(ciphertext.subarray(-16));
    return Buffer.concat([decipher.update(ciphertext.subarray(12, -16)), decipher.final()]);
  } catch {
    return undefined;
  }
}

export async function signWith(
  key: StoredKey & { kind: "signing" },
  how: Behaviour,
  digest: Buffer,
): Promise<Buffer> {
  if (how === "garbles") return Buffer.from("not a signature");
  return (how === "uses-another-key" ? key.other : key.pair).sign(digest);
}

/** Flips the last bit if told to. */
export function damage(bytes: Buffer, how: Behaviour): Buffer {
  if (how !== "changes-a-bit") return bytes;
  const changed = Buffer.from(bytes);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  return changed;
}
