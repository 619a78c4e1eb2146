// Plain wallets, without a network. The signatures are viem's, which shares no code with the checker except keccak.
import fc from "fast-check";
import { makeLog } from "@countersign/platform/log";
import { hashMessage, hashTypedData, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { makeWallets, recoverSigner, type SignedText } from "./index.ts";
import { hashText } from "./recover-signer.ts";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const owner = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
const text = "Let me in.\nNonce: 1";
const signature = await owner.signMessage({ message: text });

const { verifyText, verifyTypedData } = makeWallets({
  rpcUrls: {},
  log: makeLog({ app: "test", level: "silent" }),
});
const verify = (changes: Partial<SignedText> = {}) =>
  verifyText({ address: owner.address, text, signature, chainId: 11_155_111, ...changes });

const rest = (value: Hex): string => value.slice(0, -2);
const isOdd = (value: Hex): boolean => value.endsWith("1c");

/** The other signature that satisfies the curve's equation, made without the key. */
function twinOf(value: Hex): Hex {
  const s = order - BigInt(`0x${value.slice(66, 130)}`);
  return `${value.slice(0, 66) as Hex}${s.toString(16).padStart(64, "0")}${isOdd(value) ? "1b" : "1c"}`;
}

/** EIP-2098: the parity in the highest bit of s. */
function compactOf(value: Hex): Hex {
  const s = BigInt(`0x${value.slice(66, 130)}`) | (isOdd(value) ? 1n << 255n : 0n);
  return `${value.slice(0, 66) as Hex}${s.toString(16).padStart(64, "0")}`;
}

function flipBit(value: string, bit: number): Hex {
  const bytes = Buffer.from(value.slice(2), "hex");
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return `0x${bytes.toString("hex")}`;
}

const privateKey = fc
  .bigInt({ min: 1n, max: order - 1n })
  .map((key): Hex => `0x${key.toString(16).padStart(64, "0")}`);
/** Whole characters of any kind. */
const anyText = fc.string({ unit: "binary", maxLength: 200 });
const runs = { numRuns: 100 };

describe("a plain wallet", () => {
  it("is accepted for the text it signed, in any letter case of its address", async () => {
    expect(await verify()).toBe("valid");
    expect(await verify({ address: owner.address.toLowerCase() })).toBe("valid");
    expect(await verify({ address: `0x${owner.address.slice(2).toUpperCase()}` })).toBe("valid");
    expect(recoverSigner(text, signature)).toBe(owner.address.toLowerCase());
  });

  it("is accepted on a chain without a node", async () => {
    expect(await verify({ chainId: 1 })).toBe("valid");
    expect(await verify({ chainId: Number.NaN })).toBe("valid");
  });

  it("is accepted for every key and text, and for no other text, signature or address", async () => {
    const sample = fc.record({ key: privateKey, message: anyText, bit: fc.nat() });
    await fc.assert(
      fc.asyncProperty(sample, async ({ key, message, bit }) => {
        const account = privateKeyToAccount(key);
        const signed = {
          address: account.address,
          text: message,
          signature: await account.signMessage({ message }),
          chainId: 1,
        };
        expect(await verifyText(signed)).toBe("valid");
        const others: readonly SignedText[] = [
          { ...signed, signature: flipBit(signed.signature, bit % (65 * 8)) },
          { ...signed, signature: twinOf(signed.signature) },
          { ...signed, signature: compactOf(signed.signature) },
          { ...signed, address: flipBit(signed.address, bit % (20 * 8)) },
          { ...signed, text: flipBitOfText(message, bit) },
        ];
        for (const other of others) expect(await verifyText(other)).toBe("invalid");
      }),
      runs,
    );
  });

  it("is rejected if signature, address or text is one bit off", async () => {
    for (let bit = 0; bit < 65 * 8; bit++)
      expect(await verify({ signature: flipBit(signature, bit) })).toBe("invalid");
    for (let bit = 0; bit < 20 * 8; bit++)
      expect(await verify({ address: flipBit(owner.address, bit) })).toBe("invalid");
    for (let bit = 0; bit < text.length * 16; bit++)
      expect(await verify({ text: flipBitOfText(text, bit) })).toBe("invalid");
  });

  it("may write its v as 0, 1, 27 or 28, and in no other way", async () => {
    const parity = isOdd(signature) ? 1 : 0;
    for (let v = 0; v < 256; v++) {
      const written = `${rest(signature)}${v.toString(16).padStart(2, "0")}`;
      const isRight = v === parity || v === 27 + parity;
      expect(await verify({ signature: written }), `v ${v}`).toBe(isRight ? "valid" : "invalid");
      expect(recoverSigner(text, written) !== undefined, `v ${v}`).toBe([0, 1, 27, 28].includes(v));
    }
  });

  // Malleability: anyone can derive these from a signature they saw.
  it.each([
    ["the twin with the high s", twinOf(signature)],
    ["the 64 bytes of EIP-2098", compactOf(signature)],
    ["a byte more", `${signature}00`],
    ["a byte less", rest(signature)],
    ["half a byte more", `${signature}0`],
    ["no 0x", signature.slice(2)],
    ["a 0X", `0X${signature.slice(2)}`],
    ["a line break after it", `${signature}\n`],
    ["a blank before it", ` ${signature}`],
    ["r and s of zero", `0x${"00".repeat(64)}1b`],
    ["an r past the field", `0x${"ff".repeat(32)}${signature.slice(66)}`],
    ["an s of the order", `${signature.slice(0, 66)}${order.toString(16)}1b`],
  ])("is rejected if its signature has %s", async (_what, value) => {
    expect(await verify({ signature: value })).toBe("invalid");
    expect(recoverSigner(text, value)).not.toBe(owner.address.toLowerCase());
  });

  it("may sign with the greatest low s, and not with the next", () => {
    const half = order / 2n;
    const withS = (s: bigint) => `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}1b`;
    expect(recoverSigner(text, withS(half))).toMatch(/^0x[0-9a-f]{40}$/);
    expect(recoverSigner(text, withS(half + 1n))).toBeUndefined();
  });

  it("is rejected for a lone surrogate where it signed the replacement character", async () => {
    const replaced = await owner.signMessage({ message: "a\ufffd" });
    expect(await verify({ text: "a\ufffd", signature: replaced })).toBe("valid");
    expect(await verify({ text: "a\ud800", signature: replaced })).toBe("invalid");
  });
});

describe("hashText", () => {
  it("is EIP-191's hash of the text's bytes", () => {
    fc.assert(
      fc.property(anyText, (message) => {
        expect(hashText(message)).toEqual(Uint8Array.from(Buffer.from(hashMessage(message).slice(2), "hex")));
      }),
    );
  });
});

describe("verifyText", () => {
  it("returns invalid for any input, and never throws", async () => {
    const hexish = fc.string({
      unit: fc.constantFrom("0", "1", "9", "a", "f", "A", "F", "x", " ", "\n"),
      maxLength: 300,
    });
    const piece = fc.oneof(
      fc.anything(),
      fc.string(),
      hexish,
      hexish.map((value) => `0x${value}`),
    );
    const anything = fc.record({ address: piece, text: piece, signature: piece, chainId: piece });
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.subarray(["address", "text", "signature"], { minLength: 1 }),
        async (odd, which) => {
          const right = { address: owner.address, text, signature, chainId: odd.chainId };
          const changes = Object.fromEntries(which.map((name) => [name, odd[name as "text"]]));
          expect(await verifyText({ ...right, ...changes } as SignedText)).toBe("invalid");
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("returns invalid for a contract wallet's signature if no RPC is configured for its chain", async () => {
    expect(await verify({ signature: `0x${"ab".repeat(100)}` })).toBe("invalid");
  });
});

describe("verifyTypedData", () => {
  const typesOf = {
    Order: [
      { name: "what", type: "string" },
      { name: "count", type: "uint256" },
    ],
  } as const;
  const anOrder = (what: string, count: bigint) =>
    ({ domain: { name: "Shop" }, types: typesOf, primaryType: "Order", message: { what, count } }) as const;

  it("accepts a plain wallet for the typed data it signed, and for no other", async () => {
    const sample = fc.record({ key: privateKey, what: anyText, bit: fc.nat() });
    await fc.assert(
      fc.asyncProperty(sample, async ({ key, what, bit }) => {
        const account = privateKeyToAccount(key);
        const typedData = anOrder(what, 1n);
        const signed = {
          ...{ address: account.address, chainId: 1, typedData },
          signature: await account.signTypedData(typedData),
        };
        expect(await verifyTypedData(signed)).toBe("valid");
        const others = [
          { ...signed, typedData: anOrder(what, 2n) },
          { ...signed, typedData: anOrder(`${what} `, 1n) },
          { ...signed, typedData: { ...typedData, domain: { name: "Other" } } },
          { ...signed, signature: flipBit(signed.signature, bit % (65 * 8)) },
          { ...signed, signature: twinOf(signed.signature) },
          { ...signed, signature: compactOf(signed.signature) },
          { ...signed, address: flipBit(signed.address, bit % (20 * 8)) },
        ];
        for (const other of others) expect(await verifyTypedData(other)).toBe("invalid");
      }),
      { numRuns: 50 },
    );
  });

  it("does not accept a signature over the digest's text as one over the digest", async () => {
    const typedData = anOrder("x", 1n);
    const asText = await owner.signMessage({ message: { raw: hashTypedData(typedData) } });
    const signed = { address: owner.address, chainId: 1, typedData, signature: asText };
    expect(await verifyTypedData(signed)).toBe("invalid");
  });
});

/** Flips one bit of one UTF-16 unit. The result may have a lone surrogate, which is another text too. */
function flipBitOfText(message: string, bit: number): string {
  if (message === "") return "\0";
  const at = bit % (message.length * 16);
  const unit = message.charCodeAt(at >> 4) ^ (1 << (at & 15));
  return message.slice(0, at >> 4) + String.fromCharCode(unit) + message.slice((at >> 4) + 1);
}
