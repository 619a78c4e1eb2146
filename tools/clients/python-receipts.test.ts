// The Python client and the TypeScript SDK verify the same receipts, and must give the same answers.
import fc from "fast-check";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import {
  entryPoints,
  hashReport,
  parseAuthorizationList,
  parseCalls,
  parseMessage,
  parseSafeTransaction,
  parseTypedData,
  parseUserOperation,
  type Payload,
} from "../../packages/wire/src/index.ts";
import { verifyReceipt, type Trust } from "../../packages/sdk/src/receipt/index.ts";
import type { Hex, Receipt } from "../../packages/sdk/src/types.ts";
import { makeReceipt, makeShapedReceipt, trust } from "../../packages/sdk/test/receipt.ts";
import { anyTypedData } from "../../packages/wire/test/typed-data.ts";
import { sizeOf } from "../testing/size.ts";
import { mayDoWithoutPython, runPython } from "./run-python.ts";

type Path = readonly string[];
/** Receipts are compared as JSON text: a number has several forms, and each language reads it with its own parser. */
type Case = { readonly change: string; readonly text: string; readonly trust: Trust };

const size = sizeOf({ part: 100, all: 1000 });
const stranger = privateKeyToAccount(generatePrivateKey());

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((all): Hex => `0x${Buffer.from(all).toString("hex")}`);
const unicode = fc.string({ unit: "binary", maxLength: 200 });

const anAmount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const aSignaturePayload = anyTypedData.map((typedData): Payload => ({
  shape: "typedData",
  typedData: parseTypedData(typedData),
}));
const aBatchPayload = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    from: hex(20),
    atomicRequired: fc.boolean(),
    calls: fc.array(
      fc.record({
        to: hex(20),
        value: anAmount,
        data: fc.oneof(hex(0), hex(37)),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map((calls): Payload => ({ shape: "calls", calls: parseCalls(calls) }));

const aSafePayload = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    ...{ safe: hex(20), to: hex(20), value: anAmount, data: fc.oneof(hex(0), hex(37)) },
    ...{ operation: fc.constantFrom(0, 1), safeTxGas: anAmount, baseGas: anAmount, gasPrice: anAmount },
    ...{ gasToken: hex(20), refundReceiver: hex(20), nonce: anAmount },
  })
  .map((transaction): Payload => ({
    shape: "safeTransaction",
    safeTransaction: parseSafeTransaction(transaction),
  }));

const aMessagePayload = fc
  .oneof(unicode, fc.string({ unit: "grapheme", minLength: 1 }))
  .filter((message) => {
    try {
      return parseMessage(message) !== "";
    } catch {
      return false;
    }
  })
  .map((message): Payload => ({ shape: "message", message }));

const anAuthorizationPayload = fc
  .record({
    chainId: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    address: hex(20),
    nonce: fc.oneof(fc.nat(300), fc.maxSafeNat()),
  })
  .map((tuple): Payload => ({
    shape: "authorizationList",
    authorizationList: parseAuthorizationList([tuple]),
  }));

const aHalf = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const aUserOperationPayload = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    entryPoint: fc.constantFrom(...Object.values(entryPoints)),
    ...{ sender: hex(20), nonce: anAmount, callData: fc.oneof(hex(0), hex(37)) },
    ...{ callGasLimit: aHalf, verificationGasLimit: aHalf, preVerificationGas: anAmount },
    ...{ maxFeePerGas: aHalf, maxPriorityFeePerGas: aHalf },
    deployed: fc.option(fc.record({ factory: hex(20), factoryData: fc.oneof(hex(0), hex(37)) }), { nil: {} }),
    paid: fc.option(
      fc.record({
        ...{ paymaster: hex(20), paymasterData: fc.oneof(hex(0), hex(37)) },
        ...{ paymasterVerificationGasLimit: aHalf, paymasterPostOpGasLimit: aHalf },
      }),
      { nil: {} },
    ),
  })
  .map(({ deployed, paid, ...operation }): Payload => ({
    shape: "userOperation",
    userOperation: parseUserOperation({ ...operation, ...deployed, ...paid }),
  }));

const anyReceipt = fc.record({
  // Half of them are about another shape than a transaction.
  payload: fc.option(
    fc.oneof(
      ...[aSignaturePayload, aBatchPayload, aSafePayload, aMessagePayload],
      ...[anAuthorizationPayload, aUserOperationPayload],
    ),
    { freq: 1, nil: undefined },
  ),
  isSealed: fc.boolean(),
  decision: fc.constantFrom("APPROVED" as const, "REJECTED" as const, "UNDECIDED" as const),
  report: fc.dictionary(unicode, fc.jsonValue({ noUnicodeString: false })),
  over: fc.record({
    escrow: hex(20),
    to: hex(20),
    salt: hex(32),
    chainId: fc.maxSafeNat(),
    value: anAmount,
    data: fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
    userPrompt: unicode,
    executionType: fc.constantFrom(0 as const, 1 as const, 2 as const),
    deadline: fc.integer({ min: 86_400, max: Number.MAX_SAFE_INTEGER }),
  }),
});

type Wanted = typeof anyReceipt extends fc.Arbitrary<infer One> ? One : never;

async function sign(wanted: Wanted, by?: typeof stranger): Promise<Receipt> {
  const { payload, isSealed, decision, report, over } = wanted;
  const reportHash = hashReport(report);
  const how = { decision, signedOver: { reportHash }, ...(by === undefined ? {} : { by }) };
  if (payload === undefined) {
    const receipt = await makeReceipt({ ...how, isSealed, over });
    return { ...receipt, reportHash, report: isSealed ? null : report };
  }
  const receipt = await makeShapedReceipt({ ...how, isSealed, over: { ...over, payload } });
  return { ...receipt, reportHash, report: isSealed ? null : report };
}

/** Every place in a JSON value, by its path: members that hold others, too. */
const placesOf = (json: unknown, path: Path = []): Path[] => [
  ...(path.length === 0 ? [] : [path]),
  ...(typeof json === "object" && json !== null && path[0] !== "report"
    ? Object.entries(json).flatMap(([name, value]) => placesOf(value, [...path, name]))
    : []),
];

function edit(receipt: Receipt, path: Path, change: (holder: Record<string, unknown>, name: string) => void) {
  const copy = structuredClone(receipt);
  let at = copy as unknown as Record<string, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  change(at, path.at(-1) ?? "");
  return copy;
}

type Change = (was: unknown) => unknown;

const reshape = (receipt: Receipt, path: Path, change: Change): Receipt =>
  edit(receipt, path, (holder, name) => (holder[name] = change(holder[name])));

const next: Change = (was) => {
  if (typeof was === "number") return was + 1;
  if (typeof was === "string") return was.replace(/.$/s, (last) => (last === "1" ? "2" : "1")) || "1";
  return was === null ? {} : null;
};

/** Numbers and hexadecimal text in other forms, some of which mean the same. */
const forms: Readonly<Record<string, Change>> = {
  "a changed end": next,
  "the prefix 0X": (was) => (typeof was === "string" ? was.replace(/^0x/, "0X") : was),
  "another letter case": (was) => (typeof was === "string" ? was.toUpperCase() : was),
  "upper case after 0x": (was) =>
    typeof was === "string" ? was.replace(/(?<=^0x).*/, (all) => all.toUpperCase()) : was,
  "no prefix": (was) => (typeof was === "string" ? was.replace(/^0x/, "") : was),
  "a longer text": (was) => `${String(was)}0`,
  "a space": (was) => ` ${String(was)}`,
  "a line break": (was) => `${String(was)}\n`,
  "leading zeros": (was) => (typeof was === "string" ? `00${was}` : was),
  "a lone surrogate": (was) => `${String(was)}\ud800`,
  "another type": (was) => (typeof was === "number" ? String(was) : Number(was)),
  "a list of it": (was) => [was],
  true: () => true,
  false: () => false,
  null: () => null,
  "a negative number": () => -1,
  "a fraction": (was) => (typeof was === "number" ? was + 0.5 : 0.5),
  "a number that a double cannot hold": () => 2 ** 53,
};
const formNames = Object.keys(forms);

/** Changes of the text: the same value for one parser must be the same value for the other. */
const texts: Readonly<Record<string, (text: string) => string>> = {
  "whole numbers with a fraction": (text) => text.replaceAll(/(?<=:)(\d{1,15})(?=[,}])/g, "$1.0"),
  "whole numbers with an exponent": (text) => text.replaceAll(/(?<=:)(\d{1,15})(?=[,}])/g, "$1e0"),
  "negative zero": (text) => text.replaceAll(/(?<=:)0(?=[,}])/g, "-0"),
  "an infinite number": (text) =>
    text.replace(/"report":\{(\}?)/, (_, end: string) => `"report":{"huge":1e999${end === "" ? "," : end}`),
  "a member twice": (text) => text.replace(/^\{/, '{"decision":"APPROVED","attestation":null,'),
};
const textNames = Object.keys(texts);

/** The other signature that the curve allows for the same key. Ours have s in the lower half. */
function malleated(receipt: Receipt): Receipt {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  return edit(receipt, ["attestation", "signature"], (holder, name) => {
    const was = String(holder[name]);
    const s = (order - BigInt(`0x${was.slice(66, 130)}`)).toString(16).padStart(64, "0");
    holder[name] = `${was.slice(0, 66)}${s}${was.endsWith("1b") ? "1c" : "1b"}`;
  });
}

const made = (change: string, changed: unknown, trusted = trust): Case => ({
  ...{ change, text: JSON.stringify(changed), trust: trusted },
});

const changed = (receipt: Receipt, path: Path, form: string): Case =>
  made(`${path.join(".")}: ${form}`, reshape(receipt, path, forms[form] ?? next));

const removed = (receipt: Receipt, path: Path): Case =>
  made(
    `${path.join(".")}: removed`,
    edit(receipt, path, (holder, name) => Reflect.deleteProperty(holder, name)),
  );

type Draw = {
  readonly index: number;
  readonly one: Wanted;
  readonly other: Wanted;
  readonly junk: unknown;
};
type Making = Draw & { readonly receipt: Receipt; readonly path: Path };

const at = <Value>(list: readonly Value[], index: number): Value => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("the list is empty");
  return found;
};

const untrusted: readonly ((making: Making) => Case | Promise<Case>)[] = [
  async ({ one }) => made("signed by a stranger", await sign(one, stranger)),
  ({ receipt }) => made("the other signature", malleated(receipt)),
  ({ receipt }) => made("another installation", receipt, { ...trust, chainId: 1 }),
  ({ receipt }) => made("another trusted signer", receipt, { ...trust, signer: stranger.address }),
];

/** Unchanged receipts, receipts with one place changed, and receipts put together from two. */
const kinds: readonly ((making: Making) => Case | Promise<Case>)[] = [
  ({ receipt }) => made("none", receipt),
  ({ receipt, path }) => changed(receipt, path, "a changed end"),
  ({ receipt, path }) => removed(receipt, path),
  ({ receipt, path, index }) => changed(receipt, path, at(formNames, index)),
  ({ receipt, path, junk }) =>
    made(
      `${path.join(".")}: junk`,
      reshape(receipt, path, () => junk),
    ),
  ({ receipt, index }) => {
    const name = at(textNames, index);
    return { ...made(name, receipt), text: (texts[name] ?? String)(JSON.stringify(receipt)) };
  },
  async ({ receipt, path, other }) => {
    const [name = ""] = path;
    return made(`${name} of another receipt`, { ...(await sign(other)), [name]: receipt[name as "report"] });
  },
  (making) => at(untrusted, Math.floor(making.index / kinds.length))(making),
];

async function makeCase(draw: Draw): Promise<Case> {
  const receipt = await sign(draw.one);
  const path = at(placesOf(receipt), 7 * Math.floor(draw.index / kinds.length));
  return at(kinds, draw.index)({ ...draw, receipt, path });
}

type Answer = { readonly isValid: boolean; readonly [member: string]: unknown };

/** The answer in the form in which Python gives its own. */
async function answerOfSdk({ text, trust: trusted }: Case): Promise<Answer> {
  const result = await verifyReceipt(JSON.parse(text) as Receipt, trusted);
  if (!result.isValid) return { isValid: false, problems: result.problems };
  const { verdict } = result;
  const { requestHash, escrow, chainId, intentHash, decision, reportHash, issuedAt, validUntil } = verdict;
  return {
    ...{ isValid: true, signer: result.signer },
    verdict: {
      ...{ request_hash: requestHash, escrow, chain_id: chainId },
      ...("shape" in verdict
        ? { shape: verdict.shape, signing_hash: verdict.signingHash }
        : { to: verdict.to, value: verdict.value.toString(), data_hash: verdict.dataHash }),
      ...{ intent_hash: intentHash, decision, report_hash: reportHash },
      ...{ issued_at: issuedAt, valid_until: validUntil },
    },
  };
}

/** Has a structure, a list and a value of each kind. */
async function aShapedReceipt(isSealed: boolean): Promise<Receipt> {
  const typedData = anyTypedData.filter(({ message }) => message.items.length > 0);
  return aReceiptAbout(
    typedData.map((data): Payload => ({ shape: "typedData", typedData: parseTypedData(data) })),
    isSealed,
  );
}

async function aReceiptAbout(payloads: fc.Arbitrary<Payload>, isSealed: boolean): Promise<Receipt> {
  const one = fc.sample(anyReceipt, 1)[0];
  const payload = fc.sample(payloads, 1)[0];
  if (one === undefined || payload === undefined) throw new Error("nothing was drawn");
  return sign({ ...one, isSealed, payload });
}

/** Asks both about every case. Returns how many receipts are valid. */
async function compare(cases: readonly Case[]): Promise<number> {
  const input = cases.map(
    ({ text, trust: trusted }) => `{"trust":${JSON.stringify(trusted)},"receipt":${text}}\n`,
  );
  const run = await runPython(["-m", "tests.answer_receipts"], { input: input.join("") });
  expect(run.code, run.stderr).toBe(0);
  const answers = run.stdout.trim().split("\n");
  expect(answers.length).toBe(cases.length);
  let valid = 0;
  for (const [index, one] of cases.entries()) {
    const expected = await answerOfSdk(one);
    expect(JSON.parse(answers[index] ?? ""), `${one.change}\n${one.text}`).toEqual(expected);
    if (expected.isValid) valid += 1;
  }
  return valid;
}

describe.skipIf(mayDoWithoutPython())("the receipt checks in Python and TypeScript", () => {
  test.each([
    ["of a transaction", () => makeReceipt()],
    ["that is encrypted", () => makeReceipt({ isSealed: true })],
    ["about data to sign", () => aShapedReceipt(false)],
    ["about encrypted data to sign", () => aShapedReceipt(true)],
    ["about a transaction of a Safe", () => aReceiptAbout(aSafePayload, false)],
    ["about a text", () => aReceiptAbout(aMessagePayload, false)],
    ["about an authorization", () => aReceiptAbout(anAuthorizationPayload, false)],
    ["about a user operation", () => aReceiptAbout(aUserOperationPayload, false)],
  ])(
    "give the same answers if any member of a receipt %s is changed or removed",
    async (_, make) => {
      const receipt = await make();
      const tried = formNames.slice(0, sizeOf({ part: 2, all: formNames.length }));
      const cases = placesOf(receipt).flatMap((path) => [
        removed(receipt, path),
        ...tried.map((form) => changed(receipt, path, form)),
      ]);
      const valid = await compare(cases);
      expect(cases.length - valid).toBeGreaterThan(valid);
    },
    600_000,
  );

  test(`give the same answers for ${size} random receipts`, async () => {
    const drawn = fc.sample(fc.tuple(anyReceipt, anyReceipt, fc.jsonValue()), size);
    const cases = await Promise.all(
      drawn.map(([one, other, junk], index) => makeCase({ index, one, other, junk })),
    );
    const valid = await compare(cases);
    // Every eighth receipt is unchanged, and some changes mean the same.
    expect(valid).toBeGreaterThanOrEqual(Math.floor(size / 8));
    expect(size - valid).toBeGreaterThan(size / 2);
  }, 600_000);
});
