// Must precede the library that reads CSRs.
import "reflect-metadata";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { promisify } from "node:util";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sizeOf } from "@countersign/tools/testing";
import { makeCsr } from "./make-csr.ts";
import { makeKeyMaker } from "./make-key.ts";
import { Subject } from "./subject.ts";

/** Returns both outputs of OpenSSL. Rejects if OpenSSL fails. */
function openssl(csr: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)("openssl", ["req", ...args]);
  running.child.stdin?.end(csr);
  return running.then(({ stdout, stderr }) => stdout + stderr);
}

// One key for all tests, which are about names.
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The values in the CSR, by attribute. */
const valuesIn = (csr: string): Record<string, readonly string[]> =>
  Object.assign({}, ...new Pkcs10CertificateRequest(csr).subjectName.toJSON()) as Record<string, string[]>;

const valuesOf = (subject: Subject): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries({
      C: subject.country,
      ST: subject.state,
      L: subject.locality,
      O: subject.organization,
      OU: subject.organizationalUnit,
      CN: subject.commonName,
      E: subject.email,
    }).flatMap(([attribute, value]) => (value === undefined ? [] : [[attribute, [value]]])),
  );

/** Reads a CSR with OpenSSL, each value as the hex of its bytes, which leaves no notation to misread. */
async function readByOpenssl(csr: string): Promise<readonly string[]> {
  const text = await openssl(csr, "-noout", "-subject", "-nameopt", "sep_multiline,sname,dump_all,dump_der");
  return [...text.matchAll(/^\s+(\w+)=#([0-9A-F]+)$/gm)].map(([, attribute, hex]) => `${attribute} ${hex}`);
}

const tagOf = (attribute: string): number => ({ C: 0x13, emailAddress: 0x16 })[attribute] ?? 0x0c;

function derOf(attribute: string, value: string): string {
  const bytes = Buffer.from(value, "utf8");
  const { length } = bytes;
  const header = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tagOf(attribute), ...header), bytes])
    .toString("hex")
    .toUpperCase();
}

const expectedByOpenssl = (subject: Subject): readonly string[] =>
  Object.entries(valuesOf(subject)).map(([attribute, values]) => {
    const theirs = attribute === "E" ? "emailAddress" : attribute;
    return `${theirs} ${derOf(theirs, values[0] ?? "")}`;
  });

const awkward = [
  `"`, `'`, ",", "#", "+", "=", "\\", ";", "<", ">", "/", " ", "%", "\u00e9", "e\u0301", "東", "京", "Ж", "ß", "İ",
  "م", "ר", "\u200f", "🙂", "👩‍👩‍👧", "𝕏", "O=", "CN=", ", O=evil", "#0c0161", "\\2C", "${x}", "-----END",
] as const; // prettier-ignore
const anyName = (atMost: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.array(fc.constantFrom(...awkward), { minLength: 1, maxLength: 12 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", minLength: 1, maxLength: atMost }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    )
    .filter((text) => Subject.shape.commonName.safeParse(text).success || Array.from(text).length > 64)
    .map((text) => Array.from(text).slice(0, atMost).join("").trim())
    .filter((text) => text !== "");
const maybe = (name: fc.Arbitrary<string>) => fc.option(name, { nil: undefined });
const letter = fc.constantFrom("a", "m", "z", "A", "M", "Z");

const anySubject = fc
  .record({
    commonName: anyName(64),
    organization: anyName(64),
    country: fc.tuple(letter, letter).map((letters) => letters.join("")),
    organizationalUnit: maybe(anyName(64)),
    state: maybe(anyName(128)),
    locality: maybe(anyName(128)),
    email: fc.option(fc.constantFrom("a@b", `"o'hara, x"+y=#@example.org`.replaceAll(" ", "")), {
      nil: undefined,
    }),
  })
  .filter((asked) => Subject.safeParse(asked).success)
  .map((asked) => Subject.parse(asked));

describe("a CSR", () => {
  test("verifies, and contains exactly the given names, whatever characters they have", async () => {
    await fc.assert(
      fc.asyncProperty(anySubject, async (subject) => {
        const csr = await makeCsr(subject, keys);
        expect(valuesIn(csr)).toEqual(valuesOf(subject));
        expect(await openssl(csr, "-verify", "-noout")).toMatch(/verify OK/i);
        expect(await readByOpenssl(csr)).toEqual(expectedByOpenssl(subject));
      }),
      { numRuns: sizeOf({ part: 15, all: 60 }) },
    );
  }, 60_000);

  test.each([
    `say "hi"`,
    `Acme, Inc. + O=evil`,
    "#0c0161",
    "a=b\\,c\\",
    "Zürich 東京 🙂",
    "מפתח שלי",
    "مفتاح, O=آخر",
    " both ends ",
  ])("keeps the name %s as one value", async (commonName) => {
    const subject = Subject.parse({ commonName, organization: commonName, country: "ch" });
    const csr = await makeCsr(subject, keys);
    expect(valuesIn(csr)).toEqual({ C: ["CH"], O: [commonName.trim()], CN: [commonName.trim()] });
    expect(await openssl(csr, "-verify", "-noout")).toMatch(/verify OK/i);
  });

  test("is for an RSA key of 4096 bits, and signed with it", async () => {
    const pair = await makeKeyMaker()();
    const subject = Subject.parse({
      commonName: "a",
      organization: "b",
      country: "CH",
      email: "a@b.example",
    });
    const csr = await makeCsr(subject, pair);
    const text = await openssl(csr, "-verify", "-noout", "-text");
    expect(text).toMatch(/verify OK/i);
    expect(text).toContain("(4096 bit)");
    expect(text).toContain("sha256WithRSAEncryption");
    expect(csr).toMatch(
      /^-----BEGIN CERTIFICATE REQUEST-----\n[\s\S]+\n-----END CERTIFICATE REQUEST-----\n$/,
    );
  }, 60_000);
});

describe("keys", () => {
  const gate = () => {
    const open: (() => void)[] = [];
    const make = () =>
      new Promise<typeof keys>((resolve) =>
        open.push(() => {
          resolve(keys);
        }),
      );
    return { open, make };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test("are created a limited number at a time, the next when one is done", async () => {
    const { open, make } = gate();
    const makeKey = makeKeyMaker(make, { atOnce: 2, waitAtMost: 3 });
    const asked = Array.from({ length: 5 }, () => makeKey());
    for (const under of [2, 3, 4, 5]) {
      await settled();
      expect(open).toHaveLength(under);
      open[under - 2]?.();
    }
    await settled();
    open[4]?.();
    expect(await Promise.all(asked)).toHaveLength(5);
  });
  test("are rejected when too many wait, and created again afterwards", async () => {
    const { open, make } = gate();
    const makeKey = makeKeyMaker(make, { atOnce: 1, waitAtMost: 1 });
    const asked = [makeKey(), makeKey()];
    await expect(makeKey()).rejects.toMatchObject({ status: 429, code: "custody.busy" });
    open[0]?.();
    await asked[0];
    await settled();
    open[1]?.();
    await asked[1];
    const again = makeKey();
    await settled();
    open[2]?.();
    expect(await again).toBe(keys);
  });
  test("a failed one makes room for the next", async () => {
    let count = 0;
    const makeKey = makeKeyMaker(
      async () => {
        if (++count === 1) throw new Error("no entropy");
        return keys;
      },
      { atOnce: 1, waitAtMost: 5 },
    );
    const [first, second] = await Promise.allSettled([makeKey(), makeKey()]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect(await makeKey()).toBe(keys);
  });
});
