import { hashPayload, type Hex, type Payload, type Shape } from "@countersign/wire";
import { hashContent, isWhole } from "@countersign/wire/envelope";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { bearer } from "../../../test/sign-in.ts";
import {
  anOwner,
  aVerificationService,
  manyProposals,
  propose,
  sealedContentOf,
  type Proposed,
  type TestService,
} from "../../../test/transactions.ts";
import { aDelegation, aPayload, aSafePayment, authorization } from "../../../test/transactions/payloads.ts";
import { payloadView } from "../record/payload-view.ts";

let api: TestApiWithKeys;
let service: TestService;
beforeAll(async () => {
  api = await aTestApiWithKeys(manyProposals);
  service = await aVerificationService(api, { id: 2 });
});
afterAll(() => api.close());

const domain = { chainId: 11_155_111, inbox: `0x${"0".repeat(40)}` } as const;
const userPrompt = "Do exactly this";
const formOf = (payload: Payload): unknown => (payload as Partial<Record<Shape, unknown>>)[payload.shape];

/** An object, or a list of one. */
type Form = Readonly<Record<string, unknown>>;
const first = (list: Form): Form => Object.values(list)[0] as Form;

type Wrong = readonly [string, (form: Form, account: Hex) => Readonly<Record<string, unknown>>, RegExp];
type Case = {
  readonly shape: Shape;
  /** The same data, as a library may write it. */
  readonly spelled?: (form: Form) => unknown;
  readonly wrong: readonly Wrong[];
};

const cases: readonly Case[] = [
  {
    shape: "safeTransaction",
    spelled: (form) => ({
      ...form,
      chainId: "0xaa36a7",
      value: 1000,
      data: null,
      gasPrice: "0x0",
      nonce: "3",
    }),
    wrong: [
      [
        "another chain than the proposal",
        (form) => ({ safeTransaction: form, chainId: 1 }),
        /safeTransaction\.chainId/,
      ],
      [
        "typed data next to it",
        (form, account) => ({ safeTransaction: form, typedData: authorization(account) }),
        /next to typedData/,
      ],
      ["no nonce", (form) => ({ safeTransaction: { ...form, nonce: null } }), /nonce/],
      [
        "an operation that no Safe has",
        (form) => ({ safeTransaction: { ...form, operation: 2 } }),
        /operation/,
      ],
      ["signatures", (form) => ({ safeTransaction: { ...form, signatures: "0x" } }), /signatures/],
      ["a Safe without an address", (form) => ({ safeTransaction: { ...form, safe: "0x5afe" } }), /safe/],
      [
        "more than 128 kB",
        (_, account) => ({ safeTransaction: { ...aSafePayment(account), data: `0x${"00".repeat(66_000)}` } }),
        /128 kB/,
      ],
    ],
  },
  {
    shape: "message",
    wrong: [
      ["a hash", () => ({ message: `0x${"5a".repeat(32)}` }), /hex may be signed as bytes/],
      ["no text", () => ({ message: "" }), /must be a text/],
      ["bytes", () => ({ message: { raw: "0x5a" } }), /message/],
      ["a character that is not shown", () => ({ message: "a\u001b[2Jb" }), /control characters/],
      ["more than 16,000 characters", () => ({ message: "a".repeat(16_001) }), /16000 characters/],
      [
        "a Safe's transaction next to it",
        (form, account) => ({ message: form, safeTransaction: aSafePayment(account) }),
        /next to safeTransaction/,
      ],
    ],
  },
  {
    shape: "authorizationList",
    spelled: (list) => [{ ...first(list), chainId: "0xaa36a7", nonce: 3 }],
    wrong: [
      ["another chain than the proposal", (form) => ({ authorizationList: form, chainId: 1 }), /0\.chainId/],
      [
        "every chain",
        (list) => ({ authorizationList: [{ ...first(list), chainId: 0 }] }),
        /0 would be valid/,
      ],
      ["no authorization", () => ({ authorizationList: [] }), /exactly one authorization/],
      [
        "two of them",
        (list) => ({ authorizationList: [first(list), first(list)] }),
        /exactly one authorization/,
      ],
      ["no list", (list) => ({ authorizationList: first(list) }), /authorizationList/],
      ["no nonce", (list) => ({ authorizationList: [{ ...first(list), nonce: undefined }] }), /nonce/],
      ["a signature", (list) => ({ authorizationList: [{ ...first(list), yParity: 1 }] }), /yParity/],
      [
        "a delegate without an address",
        () => ({ authorizationList: [{ ...aDelegation()[0], address: "0x63" }] }),
        /address/,
      ],
      ["a text next to it", (form) => ({ authorizationList: form, message: "I agree" }), /next to message/],
    ],
  },
  {
    shape: "userOperation",
    spelled: (operation) => ({
      ...operation,
      ...{ chainId: "0xaa36a7", entryPointVersion: undefined, nonce: 3, callGasLimit: "0x15f90" },
      ...{ factory: undefined, factoryData: null, paymaster: undefined, paymasterData: undefined },
    }),
    wrong: [
      [
        "another chain than the proposal",
        (form) => ({ userOperation: form, chainId: 1 }),
        /userOperation\.chainId/,
      ],
      [
        "another entry point",
        (form) => ({ userOperation: { ...form, entryPoint: `0x${"ee".repeat(20)}` } }),
        /version 0\.7.*or 0\.8/,
      ],
      [
        "another version than its entry point's",
        (form) => ({ userOperation: { ...form, entryPointVersion: "0.7" } }),
        /must be 0\.8/,
      ],
      ["a signature", (form) => ({ userOperation: { ...form, signature: "0x12" } }), /signature/],
      [
        "a factory that stands for a delegation",
        (form) => ({ userOperation: { ...form, factory: "0x7702" } }),
        /EIP-7702/,
      ],
      [
        "data for no paymaster",
        (form) => ({ userOperation: { ...form, paymasterData: "0x12" } }),
        /needs a paymaster/,
      ],
      ["no nonce", (form) => ({ userOperation: { ...form, nonce: undefined } }), /nonce/],
      [
        "more than 128 kB",
        (form) => ({ userOperation: { ...form, callData: `0x${"00".repeat(70_000)}` } }),
        /at most 128 kB/,
      ],
      ["a text next to it", (form) => ({ userOperation: form, message: "I agree" }), /next to message/],
    ],
  },
];

describe.each(cases)("POST /transactions with $shape", ({ shape, spelled, wrong }) => {
  test("201: records the exact hash, and encrypts everything that it covers", async () => {
    const owner = await anOwner(api);
    const payload = aPayload[shape](owner.wallet.address);
    const answer = await propose(api, owner, { tx: undefined, userPrompt, [shape]: formOf(payload) });
    expect(answer.statusCode, answer.body).toBe(201);
    const { id, requestHash } = answer.json<Proposed>();
    const signingHash = hashPayload(payload);
    expect(answer.json()).toMatchObject({ status: "PENDING", shape, signingHash, description: userPrompt });
    const content = await sealedContentOf(api, service, id);
    if (content === undefined || !isWhole(content)) expect.unreachable("not a whole content");
    expect(content).toMatchObject({ version: 2, ...payload });
    expect(hashContent(domain, content)).toBe(requestHash);
    const read = await api.http.send({ url: `/transactions/${requestHash}`, headers: bearer(owner.who) });
    expect(read.json()).toMatchObject({ tx: null, ...payloadView({ payload }), executor: "wallet" });
  });

  test.runIf(spelled)("201: another spelling of the same has the same hash", async () => {
    const owner = await anOwner(api);
    const payload = aPayload[shape](owner.wallet.address);
    const form = spelled?.(formOf(payload) as Form);
    const answer = await propose(api, owner, { tx: undefined, userPrompt, [shape]: form });
    expect(answer.json()).toMatchObject({ signingHash: hashPayload(payload) });
  });

  test("400: a transaction next to it", async () => {
    const owner = await anOwner(api);
    const form = formOf(aPayload[shape](owner.wallet.address));
    const answer = await propose(api, owner, { userPrompt, [shape]: form });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/next to tx/);
  });

  test.each(wrong)("400: %s", async (_, change, message) => {
    const owner = await anOwner(api);
    const form = formOf(aPayload[shape](owner.wallet.address)) as Form;
    const given = change(form, owner.wallet.address);
    const answer = await propose(api, owner, { tx: undefined, userPrompt, ...given });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(message);
  });
});
