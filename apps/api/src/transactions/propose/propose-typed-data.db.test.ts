import { hashTypedData } from "@countersign/wire";
import { hashContent, isWhole, readContent, readEnvelope } from "@countersign/wire/envelope";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { bearer } from "../../../test/sign-in.ts";
import {
  anOwner,
  aProposal,
  aVerificationService,
  chooseExecutionType,
  decryptWith,
  inDatabase,
  manyProposals,
  propose,
  withKey,
  type Proposed,
  type TestService,
} from "../../../test/transactions.ts";
import { authorization } from "../../../test/transactions/payloads.ts";

let api: TestApiWithKeys;
let service: TestService;
beforeAll(async () => {
  api = await aTestApiWithKeys(manyProposals);
  service = await aVerificationService(api, { id: 2 });
});
afterAll(() => api.close());

const domain = { chainId: 11_155_111, inbox: `0x${"0".repeat(40)}` } as const;
const pay = "Pay 0.01 USDC to 0x1111111111111111111111111111111111111111";
const signed = (typedData: unknown) => ({ tx: undefined, userPrompt: pay, typedData });

async function envelopeOf(id: string): Promise<Buffer | null> {
  const { rows } = await inDatabase(api, (client) =>
    client.query<{ envelope: Buffer | null }>("select envelope from transactions where id = $1", [id]),
  );
  return rows[0]?.envelope ?? null;
}

describe("POST /transactions with typedData", () => {
  test("201: records the exact hash that would be signed, and encrypts the data", async () => {
    const owner = await anOwner(api);
    const typedData = authorization(owner.wallet.address);
    const answer = await propose(api, owner, signed(typedData));
    expect(answer.statusCode).toBe(201);
    const { id, requestHash } = answer.json<Proposed>();
    expect(answer.json()).toMatchObject({
      ...{ status: "PENDING", shape: "typedData", signingHash: hashTypedData(typedData) },
      ...{ description: pay, reviewUrl: `${api.config.UI_URL}/transactions/${requestHash}` },
    });
    const envelope = readEnvelope((await envelopeOf(id)) ?? new Uint8Array());
    const content = readContent(await decryptWith(service.privateKey, envelope?.ciphertext ?? ""));
    if (content?.version !== 2 || !isWhole(content)) expect.unreachable("not a content of version 2");
    expect(hashContent(domain, content)).toBe(requestHash);
    expect(content).toMatchObject({ shape: "typedData", typedData });
    const read = await api.http.send({ url: `/transactions/${requestHash}`, headers: bearer(owner.who) });
    expect(read.json()).toMatchObject({ tx: null, typedData, executor: "wallet" });
  });

  test("201: other spellings of the same data have the same hash", async () => {
    const owner = await anOwner(api);
    const typedData = authorization(owner.wallet.address);
    const { message, domain: of } = typedData;
    const spelled = {
      ...{ ...typedData, message: { ...message, value: 10_000, validAfter: "0x0" } },
      domain: {
        ...of,
        chainId: "0xaa36a7",
        verifyingContract: of.verifyingContract?.toUpperCase().replace("X", "x"),
      },
    };
    const answer = await propose(api, owner, signed(spelled));
    expect(answer.json()).toMatchObject({ signingHash: hashTypedData(typedData) });
  });

  test("201: an administrator's direct proposal, without encryption", async () => {
    const owner = await anOwner(api);
    await chooseExecutionType(api, owner, 0);
    const headers = withKey(await api.issueServerKey("admin"));
    const answer = await propose(
      api,
      owner,
      { ...signed(authorization(owner.wallet.address)), encrypted: false },
      headers,
    );
    expect(answer.statusCode).toBe(201);
    expect(await envelopeOf(answer.json<Proposed>().id)).toBeNull();
  });

  const wrong: [string, (escrow: `0x${string}`) => Record<string, unknown>, RegExp][] = [
    ["a transaction next to it", (escrow) => ({ typedData: authorization(escrow) }), /next to tx/],
    ["neither of them", () => ({ tx: undefined }), /tx/],
    [
      "another chain than the proposal",
      (escrow) => ({ ...signed(authorization(escrow)), chainId: 1 }),
      /chainId/,
    ],
    [
      "a member that no type covers",
      (escrow) => {
        const typedData = authorization(escrow);
        return signed({ ...typedData, message: { ...typedData.message, memo: "harmless" } });
      },
      /memo/,
    ],
    [
      "an amount out of range",
      (escrow) =>
        signed({ ...authorization(escrow), message: { ...authorization(escrow).message, value: "-1" } }),
      /value/,
    ],
    [
      "a member that is not typed data",
      (escrow) => signed({ ...authorization(escrow), signature: "0x" }),
      /signature/,
    ],
    [
      "more than 64 kB",
      () =>
        signed({
          ...{ domain: {}, types: { Note: [{ name: "text", type: "string" }] }, primaryType: "Note" },
          message: { text: "x".repeat(66_000) },
        }),
      /64 kB/,
    ],
    ["a text in its place", () => signed("{}"), /typedData/],
  ];
  test.each(wrong)("400: %s", async (_, overrides, message) => {
    const owner = await anOwner(api);
    const answer = await propose(api, owner, overrides(owner.wallet.address));
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(message);
  });

  test("403: for another owner's account", async () => {
    const [owner, other] = [await anOwner(api), await anOwner(api)];
    const payload = aProposal(other.wallet.address, signed(authorization(other.wallet.address)));
    const headers = withKey(owner.key);
    const answer = await api.http.send({ method: "POST", url: "/transactions", payload, headers });
    expect(answer.statusCode).toBe(403);
  });
});
