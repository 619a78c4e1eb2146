import fc from "fast-check";
import { keccak256 } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { buildWitness, encodeHeader, from, to, type TestAccount } from "../../test/build-witness.ts";
import { quantity, word } from "../hex.ts";
import type { Witness } from "../witness.ts";
import { readHeader } from "./header.ts";
import { Unproven } from "./unproven.ts";
import { verifyWitness } from "./verify-witness.ts";

const nowhere: Hex = `0x${"99".repeat(20)}`;
const emptySlot = word(77n);
let witness: Witness;

beforeAll(async () => {
  witness = await buildWitness({
    accounts: {
      [from]: { balance: 10n ** 18n, nonce: 3n },
      [to]: {
        balance: 5n,
        nonce: 1n,
        code: "0x600160025500",
        storage: { [word(1n)]: 7n, [word(2n)]: 2n ** 256n - 1n },
      },
    },
    absent: [nowhere],
    emptySlots: { [to]: [emptySlot] },
  });
});

const account = (address: Hex) => {
  const found = witness.accounts[address];
  if (found === undefined) throw new Error("no such account");
  return found;
};
const changed = (address: Hex, change: object): Witness => ({
  ...witness,
  accounts: { ...witness.accounts, [address]: { ...account(address), ...change } },
});
/** The same text with another digit at that place. */
const bend = (text: Hex, index: number): Hex => {
  const at = 2 + index;
  const digit = (Number.parseInt(text.charAt(at), 16) + 1) % 16;
  return `${text.slice(0, at)}${digit.toString(16)}${text.slice(at + 1)}` as Hex;
};

describe("a witness", () => {
  test("is proven by its block's hash", () => {
    const { header, storageRoots } = verifyWitness(JSON.parse(JSON.stringify(witness)));
    expect(header).toMatchObject({ number: 24_000_000n, hash: witness.blockHash });
    expect([...storageRoots.keys()].sort()).toEqual([from, to, nowhere].sort());
  });

  test.each<[string, () => Witness, string]>([
    ["a balance", () => changed(from, { balance: quantity(10n ** 18n + 1n) }), `balance of ${from}`],
    ["a nonce", () => changed(from, { nonce: "0x4" }), `nonce of ${from}`],
    ["a slot", () => changed(to, { storage: { [word(1n)]: "0x8" } }), `slot ${word(1n)} of ${to}`],
    [
      "a full slot as empty",
      () => changed(to, { storage: { [word(2n)]: "0x0" } }),
      `slot ${word(2n)} of ${to}`,
    ],
    ["an empty slot as full", () => changed(to, { storage: { [emptySlot]: "0x1" } }), `slot ${emptySlot}`],
    ["a slot of an account without storage", () => changed(from, { storage: { [word(0n)]: "0x1" } }), "slot"],
    ["an absent account as existing", () => changed(nowhere, { balance: "0x1" }), `balance of ${nowhere}`],
    ["an existing account as absent", () => changed(from, { balance: "0x0", nonce: "0x0" }), `of ${from}`],
    [
      "the code",
      () => {
        const [hash, code] = Object.entries(witness.codes)[0] as [Hex, Hex];
        return { ...witness, codes: { [hash]: bend(code, 3) } };
      },
      "has another hash",
    ],
    [
      "the code and its hash",
      () => {
        const code: Hex = "0x600160035500";
        return {
          ...changed(to, { codeHash: keccak256(code) }),
          codes: { ...witness.codes, [keccak256(code)]: code },
        };
      },
      `codeHash of ${to}`,
    ],
    ["no code", () => ({ ...witness, codes: {} }), `the code of ${to} is missing`],
    [
      "the block's hash",
      () => ({ ...witness, blockHash: bend(witness.blockHash, 9) }),
      "a header is not that",
    ],
    ["the hardfork", () => ({ ...witness, hardfork: "cancun" }), "not of cancun"],
    [
      "a state root, with a header of another block",
      () => ({ ...witness, headers: [encodeHeader({ stateRoot: word(5n) })] }),
      "a header is not that",
    ],
    [
      "a block with another state",
      () => {
        const header = encodeHeader({ stateRoot: word(5n) });
        return { ...witness, headers: [header], blockHash: keccak256(header) };
      },
      "trie node",
    ],
  ])("with %s changed is not", (_, bent, says) => {
    expect(() => verifyWitness(bent())).toThrow(Unproven);
    expect(() => verifyWitness(bent())).toThrow(says);
  });

  test("with one digit of its header or a trie node changed is not", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (pick, place) => {
        const all = [...witness.headers, ...witness.nodes];
        const index = pick % all.length;
        const bent = all.map((text, at) => (at === index ? bend(text, place % (text.length - 2)) : text));
        const [header = "0x", ...nodes] = bent;
        expect(() => verifyWitness({ ...witness, headers: [header], nodes })).toThrow(Unproven);
      }),
    );
  });

  test("without one of its trie nodes is not", () => {
    for (const node of witness.nodes)
      expect(() => verifyWitness({ ...witness, nodes: witness.nodes.filter((one) => one !== node) })).toThrow(
        "is missing",
      );
  });

  test("of any state is proven, and one with another balance or slot is not", async () => {
    const anAddress = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
    const value = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
    const anAccount = fc.record({
      balance: value,
      nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      slots: fc.uniqueArray(fc.tuple(value, value), { maxLength: 12, selector: ([slot]) => slot }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(anAddress, anAccount), {
          minLength: 1,
          maxLength: 12,
          selector: ([one]) => one,
        }),
        fc.uniqueArray(anAddress, { maxLength: 3 }),
        async (all, strangers) => {
          const accounts = Object.fromEntries(
            all.map(([address, { balance, nonce, slots }]): [Hex, TestAccount] => [
              address,
              {
                balance,
                nonce,
                storage: Object.fromEntries(slots.map(([slot, held]) => [word(slot), held])),
              },
            ]),
          );
          const absent = strangers.filter((one) => !(one in accounts));
          const built = await buildWitness({ accounts, absent });
          expect(verifyWitness(built).witness).toEqual(built);
          const [address, { balance, slots }] = all[0] ?? [to, { balance: 0n, slots: [] }];
          const one = built.accounts[address];
          const but = (change: object) => ({
            ...built,
            accounts: { ...built.accounts, [address]: { ...one, ...change } },
          });
          expect(() => verifyWitness(but({ balance: quantity(balance - 1n) }))).toThrow(Unproven);
          const [slot] = slots;
          if (slot !== undefined)
            expect(() =>
              verifyWitness(but({ storage: { [word(slot[0])]: quantity(slot[1] - 1n) } })),
            ).toThrow(Unproven);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("block hashes", () => {
  const grandparent = encodeHeader({ stateRoot: word(1n), number: 7n });
  const parent = encodeHeader({ stateRoot: word(2n), number: 8n, parentHash: keccak256(grandparent) });
  const child = (stateRoot: Hex, parentHash: Hex, number = 9n) =>
    encodeHeader({ stateRoot, parentHash, number });
  const withHeaders = (...headers: readonly Hex[]): Witness => ({
    ...witness,
    ...{ headers: [...headers], blockHash: keccak256(headers[0] ?? "0x") },
  });
  const stateRoot = () => readHeader(witness.headers[0] ?? "0x", "osaka").stateRoot;

  test("follow from the headers, one further than there are headers", () => {
    const newest = child(stateRoot(), keccak256(parent));
    const { blockHashes } = verifyWitness(withHeaders(newest, parent, grandparent));
    expect(blockHashes.get(9n)).toBe(keccak256(newest));
    expect(blockHashes.get(8n)).toBe(keccak256(parent));
    expect(blockHashes.get(7n)).toBe(keccak256(grandparent));
    expect(blockHashes.get(6n)).toBe(keccak256("0x01"));
    expect(blockHashes.has(5n)).toBe(false);
  });

  test("are not taken from a header that is not the parent's, or has another number", () => {
    const newest = child(stateRoot(), keccak256(parent));
    expect(() => verifyWitness(withHeaders(newest, grandparent))).toThrow("a header is not that");
    const skipping = child(stateRoot(), keccak256(parent), 10n);
    expect(() => verifyWitness(withHeaders(skipping, parent))).toThrow("another number");
  });
});
