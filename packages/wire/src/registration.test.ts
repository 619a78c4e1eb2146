import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAddress, anyWord } from "../test/index.ts";
import { maximumRegistrations, readRegistrations, writeRegistrations } from "./envelope/index.ts";
import {
  registrationProof,
  registrationRoot,
  registrationRootFrom,
  type Hex,
  type Registrations,
} from "./index.ts";

const anyEntry = fc.record({ requestHash: anyWord, contentDigest: anyWord });
const anyRegistrations: fc.Arbitrary<Registrations> = fc.record({
  inbox: anyAddress,
  entries: fc.uniqueArray(anyEntry, {
    minLength: 1,
    maxLength: 40,
    selector: ({ requestHash }) => requestHash,
  }),
});
const numbered = (count: number): Registrations => ({
  inbox: `0x${"1a".repeat(20)}`,
  entries: Array.from({ length: count }, (_, index) => ({
    requestHash: `0x${index.toString(16).padStart(64, "0")}` as const,
    contentDigest: `0x${(index + 1).toString(16).padStart(64, "1")}` as const,
  })),
});
const proofOf = (given: Registrations, requestHash: Hex): readonly Hex[] => {
  const proof = registrationProof(given, requestHash);
  if (proof === undefined) expect.unreachable("not an entry");
  return proof;
};

describe("the proof of a registration", () => {
  test("leads from each entry to the root, in as many steps as the tree is high", () => {
    fc.assert(
      fc.property(anyRegistrations, (given) => {
        const root = registrationRoot(given);
        for (const entry of given.entries) {
          const proof = proofOf(given, entry.requestHash);
          expect(registrationRootFrom(given.inbox, entry, proof)).toBe(root);
          expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(given.entries.length)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("leads elsewhere from any other entry, service or step", () => {
    fc.assert(
      fc.property(anyRegistrations, anyWord, anyAddress, fc.nat(), (given, other, service, pick) => {
        const root = registrationRoot(given);
        const entry = given.entries[pick % given.entries.length] ?? expect.unreachable();
        const proof = proofOf(given, entry.requestHash);
        fc.pre(other !== entry.requestHash && other !== entry.contentDigest && service !== given.inbox);
        for (const [inbox, changed, steps] of [
          [given.inbox, { ...entry, requestHash: other }, proof],
          [given.inbox, { ...entry, contentDigest: other }, proof],
          [service, entry, proof],
          [given.inbox, entry, [...proof, other]],
          ...(proof.length === 0 ? [] : [[given.inbox, entry, proof.slice(1)] as const]),
        ] as const)
          expect(registrationRootFrom(inbox, changed, steps)).not.toBe(root);
      }),
      { numRuns: 50 },
    );
  });

  test("does not exist for a proposal that is not among them", () => {
    expect(registrationProof(numbered(5), `0x${"ff".repeat(32)}`)).toBeUndefined();
  });

  test("does not take two nodes for an entry", () => {
    const given = numbered(2);
    const [one, other] = [0, 1].map((index) =>
      proofOf(given, given.entries[1 - index]?.requestHash ?? "0x").at(0),
    );
    const forged = { requestHash: one ?? "0x", contentDigest: other ?? "0x" };
    expect(registrationRootFrom(given.inbox, forged, [])).not.toBe(registrationRoot(given));
  });
});

describe("the root", () => {
  test("differs with the order, the number and the service of the entries", () => {
    const given = numbered(4);
    const roots = [
      given,
      { ...given, entries: given.entries.toReversed().slice(0, 3) },
      { ...given, entries: given.entries.slice(0, 3) },
      { ...given, inbox: `0x${"2b".repeat(20)}` as const },
    ].map(registrationRoot);
    expect(new Set(roots).size).toBe(roots.length);
  });

  test.each([
    ["no entries", { entries: [] }],
    ["a short hash", { entries: [{ requestHash: "0x5a", contentDigest: `0x${"00".repeat(32)}` }] }],
    [
      "a digest that is not hex",
      { entries: [{ requestHash: `0x${"00".repeat(32)}`, contentDigest: `0x${"zz".repeat(32)}` }] },
    ],
    ["a service that is no address", { inbox: "0x1a" }],
  ] as const)("is refused for %s", (_, change) => {
    expect(() => registrationRoot({ ...numbered(2), ...change })).toThrow(RangeError);
  });
});

describe("the list of a root", () => {
  test("is read as it was written, and equal lists have equal bytes", () => {
    fc.assert(
      fc.property(anyRegistrations, (given) => {
        const bytes = writeRegistrations(given);
        expect(readRegistrations(bytes)).toEqual(given);
        expect(writeRegistrations({ entries: given.entries, inbox: given.inbox })).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });

  test("holds as many entries as the limit, and no more", () => {
    expect(readRegistrations(writeRegistrations(numbered(maximumRegistrations)))).toEqual(
      numbered(maximumRegistrations),
    );
    expect(() => writeRegistrations(numbered(maximumRegistrations + 1))).toThrow();
  });

  test.each([
    ["another version", { version: 2 }],
    ["another form", { form: "standard" }],
    ["no entries", { entries: [] }],
    ["an entry of three", { entries: [[`0x${"00".repeat(32)}`, `0x${"00".repeat(32)}`, "0x"]] }],
    ["a short hash", { entries: [["0x00", `0x${"00".repeat(32)}`]] }],
    ["a member that the root does not cover", { note: "" }],
  ])("with %s is not read", (_, change) => {
    const whole = JSON.parse(Buffer.from(writeRegistrations(numbered(2))).toString()) as object;
    expect(readRegistrations(Buffer.from(JSON.stringify({ ...whole, ...change })))).toBeUndefined();
  });

  test("is not found in arbitrary bytes, and reading never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readRegistrations(bytes)).toBeUndefined();
      }),
    );
    expect(readRegistrations(new Uint8Array(300 * 1024))).toBeUndefined();
  });
});
