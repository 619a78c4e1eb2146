import { randomBytes } from "node:crypto";
import { hashProposal, hashSealedProposal, intentTypedData } from "@countersign/wire";
import { hashContent, isWhole, readContent, readEnvelope } from "@countersign/wire/envelope";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { aKeyPair } from "../../../test/pgp-keys.ts";
import { aWallet, bearer, signIn } from "../../../test/sign-in.ts";
import { signatureHeaders } from "../../../test/signed-requests.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../../test/test-api.ts";
import {
  anOwner,
  anOwnerWithPgpKey,
  aProposal,
  aSealedPayload,
  aVerificationService,
  chooseExecutionType,
  decryptWith,
  encryptTo,
  inDatabase,
  manyProposals,
  propose,
  signPgp,
  withKey,
  type Owner,
  type Proposed,
  type TestService,
} from "../../../test/transactions.ts";

type Hex = `0x${string}`;
type Answer = Awaited<ReturnType<typeof propose>>;

let api: TestApiWithKeys;
/** A service without known verification services. */
let bare: TestApiWithKeys;
let service: TestService;
let adminKey: string;
let orionKey: string;
beforeAll(async () => {
  [api, bare] = await Promise.all([aTestApiWithKeys(manyProposals), aTestApiWithKeys(manyProposals)]);
  service = await aVerificationService(api, { id: 2 });
  await aVerificationService(api, { id: 1, active: false });
  await aVerificationService(api, { id: 3, isKeyKnown: false });
  adminKey = await api.issueServerKey("admin");
  orionKey = await api.issueServerKey("orion");
});
afterAll(() => Promise.all([api.close(), bare.close()]));

type Row = Record<string, unknown> & {
  readonly id: string;
  readonly envelope: Buffer | null;
  readonly phase: string;
  readonly reason: string | null;
};
const rowOf = async (answer: Answer, of: TestApiWithKeys = api): Promise<Row> => {
  const { rows } = await inDatabase(of, (client) =>
    client.query<Row>("select * from transactions where id = $1", [answer.json<Proposed>().id]),
  );
  const [row] = rows;
  if (row === undefined) throw new Error("nothing was recorded");
  return row;
};
const countOf = async ({ wallet }: Pick<Owner, "wallet">, of: TestApiWithKeys = api): Promise<number> => {
  const { rows } = await inDatabase(of, (client) =>
    client.query<{ count: number }>("select count(*)::int as count from transactions where account = $1", [
      wallet.address.toLowerCase(),
    ]),
  );
  return rows[0]?.count ?? -1;
};
const messageOf = (answer: Answer): string => answer.json<{ message: string }>().message;
const now = (): number => Math.floor(Date.now() / 1000);

/** The owner's signature over the intent, as a wallet makes it. */
async function signIntent(
  wallet: Owner["wallet"],
  changes: Partial<Parameters<typeof intentTypedData>[0]> = {},
) {
  const nonce: Hex = `0x${randomBytes(32).toString("hex")}`;
  const text = aProposal(wallet.address)["userPrompt"] as string;
  const intent = {
    account: wallet.address,
    text,
    chainId: 11_155_111,
    nonce,
    expiresAt: now() + 600,
    ...changes,
  };
  const signature = await wallet.signTypedData(intentTypedData(intent));
  return { signature, nonce: intent.nonce, expiresAt: intent.expiresAt };
}

async function open(envelope: Buffer | null) {
  const read = readEnvelope(envelope ?? Buffer.alloc(0));
  return readContent(await decryptWith(service.privateKey, read?.ciphertext ?? ""));
}

describe("POST /transactions", () => {
  test.each(["a key", "a JWT", "an admin key"])(
    "201: records the proposal as pending, with %s",
    async (by) => {
      const owner = await anOwner(api);
      const headers =
        by === "a key" ? withKey(owner.key) : by === "a JWT" ? bearer(owner.who) : withKey(adminKey);
      const answer = await propose(api, owner, {}, headers);
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        requestHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
        description: "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.",
        status: "PENDING",
        execution: 1,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        escrowAddress: owner.wallet.address,
        chainId: 11_155_111,
        phase: "RECEIVED",
        intentProvenance: "agent-claimed",
        expiresAt: expect.any(String) as string,
        // The test service has a node for chain 1 only.
        chainWatched: false,
        notice: expect.stringContaining("We do not watch this chain") as string,
        shape: "tx",
        signingHash: null,
        reviewUrl: expect.stringMatching(/\/transactions\/0x[0-9a-f]{64}$/) as string,
      });
      const seconds = Date.parse(answer.json<Proposed>().expiresAt) / 1000 - now();
      expect(Math.abs(seconds - 24 * 60 * 60)).toBeLessThan(60);
      const { account, proposer } = await rowOf(answer);
      expect(account).toBe(owner.wallet.address.toLowerCase());
      expect(proposer).toMatch(by === "a JWT" ? /^jwt:0x/ : /^key:/);
    },
  );
  test("201: ignores unknown members; the same proposal is recorded", async () => {
    const owner = await anOwner(api);
    const { tx } = aProposal(owner.wallet.address);
    const answer = await propose(api, owner, { extra: [1], tx: { ...(tx as object), label: "rent" } });
    expect(answer.statusCode).toBe(201);
    const { requestHash } = answer.json<Proposed>();
    const view = await api.http.send({ url: `/transactions/${requestHash}`, headers: bearer(owner.who) });
    expect(view.json<{ tx: object }>().tx).toEqual({ ...(tx as object) });
  });
  test.each(["nonce", "gasPrice", "authorizationList"])(
    "400: tx.%s, which would change what is signed, with a message",
    async (name) => {
      const owner = await anOwner(api);
      const { tx } = aProposal(owner.wallet.address);
      const answer = await propose(api, owner, { tx: { ...(tx as object), [name]: "0x1" } });
      expect(answer.statusCode).toBe(400);
      expect(messageOf(answer)).toBe(
        `body.tx.${name}: would change what is signed, but a proposal covers only to, value and data: leave it out`,
      );
      expect(await countOf(owner)).toBe(0);
    },
  );
  test("201: contextLogs are stored for the owner and the administrator, and for no other user", async () => {
    const [owner, other] = [await anOwner(api), await anOwner(api)];
    const contextLogs = { trace: ["a", 1], nested: { deep: null } };
    const { requestHash } = (await propose(api, owner, { contextLogs })).json<Proposed>();
    const url = `/transactions/${requestHash}`;
    for (const headers of [bearer(owner.who), withKey(adminKey)]) {
      const answer = await api.http.send({ url, headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ contextLogs });
    }
    expect((await api.http.send({ url, headers: bearer(other.who) })).statusCode).toBe(404);
    const without = (await propose(api, owner)).json<Proposed>().requestHash;
    const answer = await api.http.send({ url: `/transactions/${without}`, headers: bearer(owner.who) });
    expect(answer.json()).toMatchObject({ contextLogs: null });
  });
  test("201: encrypts it at once; the service finds in it everything that the request hash covers", async () => {
    const owner = await anOwner(api);
    const answer = await propose(api, owner, { contextLogs: { trace: ["a", 1] }, chainId: 10 });
    const { envelope, service_id, unsealed_extras } = await rowOf(answer);
    expect({ service_id, unsealed_extras }).toEqual({ service_id: "2", unsealed_extras: null });
    const content = await open(envelope);
    if (content === undefined || !isWhole(content)) throw new Error("not a whole content");
    const domain = { chainId: 11_155_111, inbox: `0x${"0".repeat(40)}` } as const;
    expect(hashContent(domain, content)).toBe(answer.json<Proposed>().requestHash);
    expect(content).toMatchObject({ contextLogs: { trace: ["a", 1] }, chainId: 10, executionType: 1 });
  });
  test("201: binds the request hash to the Inbox and the home chain, if they are configured", async () => {
    const inbox = aWallet().address;
    const other = await aTestApiWithKeys({ ...manyProposals, INBOX_ADDRESS: inbox, HOME_CHAIN_ID: "5" });
    try {
      const answer = await propose(other, await anOwner(other));
      const { deadline, salt, escrow } = await rowOf(answer, other);
      const { tx, userPrompt } = aProposal("") as { tx: { to: Hex; data: Hex }; userPrompt: string };
      const fields = {
        ...{ escrow: escrow as Hex, chainId: 11_155_111, userPrompt, executionType: 1 as const },
        ...{ ...tx, value: 10n ** 15n, deadline: Math.floor(Number(deadline) / 1000) },
        salt: `0x${(salt as Buffer).toString("hex")}` as const,
      };
      expect(answer.json<Proposed>().requestHash).toBe(hashProposal({ chainId: 5, inbox }, fields));
    } finally {
      await other.close();
    }
  });
  test("201: stores it unencrypted, with its extras, while no service or no key is known", async () => {
    const contextLogs = { asked: "by chat" };
    const first = await propose(bare, await anOwner(bare), { contextLogs });
    expect(await rowOf(first, bare)).toMatchObject({
      ...{ service_id: null, envelope: null, unsealed_extras: { contextLogs } },
    });
    const second = await propose(api, await anOwner(api), { contextLogs, verificationServiceId: 3 });
    expect(await rowOf(second)).toMatchObject({
      ...{ service_id: "3", envelope: null, unsealed_extras: { contextLogs } },
    });
  });
  test("201: stores it unencrypted while the service's key is expired", async () => {
    const keyOptions = { date: new Date("2020-01-01"), keyExpirationTime: 3600 };
    await aVerificationService(api, { id: 9, keyOptions });
    const answer = await propose(api, await anOwner(api), { verificationServiceId: 9 });
    expect(answer.statusCode).toBe(201);
    expect(await rowOf(answer)).toMatchObject({ service_id: "9", envelope: null, unsealed_extras: {} });
  });
  test("201: keeps every digit of the largest amount, and every byte of the call", async () => {
    const owner = await anOwner(api);
    const tx = {
      to: `0x${"AB".repeat(20)}`,
      value: String(2n ** 256n - 1n),
      data: `0x${"Cd".repeat(1000)}`,
    };
    const row = await rowOf(await propose(api, owner, { tx }));
    expect(row["value"]).toBe(tx.value);
    expect(row["to_address"]).toBe(tx.to.toLowerCase());
    expect(row["data"]).toEqual(Buffer.from(tx.data.slice(2), "hex"));
  });
  test("201: stores the current execution type, whatever is set later", async () => {
    const owner = await anOwner(api);
    await chooseExecutionType(api, owner, 2);
    const answer = await propose(api, owner);
    await chooseExecutionType(api, owner, 0);
    expect(answer.json()).toMatchObject({ execution: 2 });
    expect(await rowOf(answer)).toMatchObject({
      ...{ execution_type: 2, external: true, require_user: false, admin_may_approve: false },
    });
  });
  test("201: writes an event and the work that follows", async () => {
    const { id, requestHash } = (await propose(api, await anOwner(api))).json<Proposed>();
    const found = await inDatabase(api, async (client) => {
      const events = await client.query(
        "select event, status, phase, version from account_events where transaction_id = $1",
        [id],
      );
      const flows = await client.query("select flow from flows where key = $1", [requestHash]);
      return [events.rows, flows.rows] as unknown;
    });
    expect(found).toEqual([
      [{ event: "propose", status: "PENDING", phase: "RECEIVED", version: 1 }],
      [{ flow: "verification" }],
    ]);
  });
  test("201: repeating it without an Idempotency-Key makes two proposals", async () => {
    const owner = await anOwner(api);
    const [one, two] = [await propose(api, owner), await propose(api, owner)];
    expect(one.json<Proposed>().requestHash).not.toBe(two.json<Proposed>().requestHash);
    expect(await countOf(owner)).toBe(2);
  });

  describe("unsealed", () => {
    const encrypted = false;
    test("201: an admin key for execution type 0 leaves no envelope and is named as proposer", async () => {
      const owner = await anOwner(api);
      await chooseExecutionType(api, owner, 0);
      const contextLogs = { a: 1 };
      const answer = await propose(api, owner, { encrypted, contextLogs }, withKey(adminKey));
      expect(answer.json()).toMatchObject({ status: "PENDING", execution: 0 });
      expect(await rowOf(answer)).toMatchObject({
        ...{ form: "unsealed", envelope: null, unsealed_extras: { contextLogs } },
      });
    });
    test.each([1, 2] as const)("400: an admin key for execution type %i", async (type) => {
      const owner = await anOwner(api);
      await chooseExecutionType(api, owner, type);
      const answer = await propose(api, owner, { encrypted }, withKey(adminKey));
      expect(answer.statusCode).toBe(400);
      expect(messageOf(answer)).toContain("Invalid flow combination");
    });
    test("403: a user's API key, and a JWT, for any execution type", async () => {
      const owner = await anOwner(api);
      await chooseExecutionType(api, owner, 0);
      const byKey = await propose(api, owner, { encrypted });
      expect([byKey.statusCode, messageOf(byKey)]).toEqual([403, "Unencrypted payload not allowed"]);
      const byJwt = await propose(api, owner, { encrypted }, bearer(owner.who));
      expect([byJwt.statusCode, messageOf(byJwt)]).toEqual([
        403,
        "API key required for an unencrypted payload",
      ]);
      expect(await countOf(owner)).toBe(0);
    });
  });

  describe("encrypted by the sender", () => {
    let owner: Awaited<ReturnType<typeof anOwnerWithPgpKey>>;
    let good: Awaited<ReturnType<typeof aSealedPayload>>;
    beforeAll(async () => {
      owner = await anOwnerWithPgpKey(api);
      good = await aSealedPayload(service, owner);
    });

    test("201: stores the envelope and nothing of the content", async () => {
      const answer = await propose(api, owner, good);
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({ description: "(encrypted by the sender)", phase: "RECEIVED" });
      const row = await rowOf(answer);
      expect(row).toMatchObject({ form: "sealed", to_address: null, value: null, data: null });
      const envelope = readEnvelope(row.envelope ?? Buffer.alloc(0));
      if (envelope?.form !== "sealed") throw new Error("not a sealed envelope");
      expect(envelope.ciphertext).toBe(good.encryptedPayload);
      const domain = { chainId: 11_155_111, inbox: `0x${"0".repeat(40)}` } as const;
      expect(hashSealedProposal(domain, envelope)).toBe(answer.json<Proposed>().requestHash);
    });
    test("201: by JWT, and by an admin key with the owner's signature", async () => {
      for (const headers of [bearer(owner.who), withKey(adminKey)])
        expect((await propose(api, owner, good, headers)).statusCode).toBe(201);
    });
    test("201: for the service and another recipient", async () => {
      const self = (await aKeyPair()).publicKey;
      const encryptedPayload = await encryptTo([self, service.armoured], "x");
      const payloadSignature = await signPgp(encryptedPayload, owner.signingKey);
      expect((await propose(api, owner, { ...good, encryptedPayload, payloadSignature })).statusCode).toBe(
        201,
      );
    });
    test.each(["userPrompt", "tx", "contextLogs", "intentSignature", "encrypted"])(
      "400: together with %s",
      async (member) => {
        const beside = {
          ...{ ...aProposal(owner.wallet.address), contextLogs: {}, encrypted: false },
          intentSignature: await signIntent(owner.wallet),
        } as Record<string, unknown>;
        const answer = await propose(api, owner, { ...good, [member]: beside[member] });
        expect(answer.statusCode).toBe(400);
        expect(messageOf(answer)).toContain(`body.${member}: must`);
        expect(messageOf(answer)).toContain("invalid flow combination");
      },
    );
    test("400: names the invalid part", async () => {
      const stranger = await anOwnerWithPgpKey(api);
      const other = (await aKeyPair()).publicKey;
      const signed = async (encryptedPayload: string) => ({
        ...good,
        encryptedPayload,
        payloadSignature: await signPgp(encryptedPayload, owner.signingKey),
      });
      const cases: readonly (readonly [Record<string, unknown>, string])[] = [
        [await signed("hello"), "exactly one armoured"],
        [await signed(good.encryptedPayload + good.encryptedPayload), "exactly one armoured"],
        [await signed(await encryptTo([other], "x")), "not encrypted to the verification service's key"],
        [await signed(await encryptTo([service.armoured], "x", { wildcard: true })), "hidden ones"],
        [
          { ...good, payloadSignature: await signPgp(good.encryptedPayload, stranger.signingKey) },
          "owner's registered key",
        ],
        [{ ...good, payloadSignature: await signPgp("another", owner.signingKey) }, "owner's registered"],
        [{ ...good, payloadSignature: undefined }, "payloadSignature: is required"],
        [{ ...good, payloadSignature: "nonsense" }, "payloadSignature must be one armoured"],
        [{ payloadSignature: good.payloadSignature }, "is for encryptedPayload only"],
        [{ ...good, verificationServiceId: 3 }, "key is not available"],
        [{ ...good, encryptedPayload: "x".repeat(240 * 1024 + 1) }, "at most 240 kB"],
        [{ ...good, payloadSignature: "x".repeat(16 * 1024 + 1) }, "at most 16 kB"],
      ];
      for (const [overrides, sentence] of cases) {
        const answer = await propose(api, owner, overrides);
        expect([answer.statusCode, messageOf(answer)]).toEqual([400, expect.stringContaining(sentence)]);
      }
    });
    test("400: if the owner has registered no key", async () => {
      const answer = await propose(api, await anOwner(api), good);
      expect(messageOf(answer)).toContain("the owner has registered no OpenPGP key");
    });
  });

  describe("with the owner's signed intent", () => {
    test("201: records the intent as the owner's, and encrypts the signature", async () => {
      const owner = await anOwner(api);
      const intentSignature = await signIntent(owner.wallet);
      const answer = await propose(api, owner, { intentSignature });
      expect(answer.json()).toMatchObject({ intentProvenance: "user-signed" });
      expect((await open((await rowOf(answer)).envelope))?.intentSignature).toEqual(intentSignature);
    });
    test("400: with a nonce that was used before, also concurrently; each account has its own nonces", async () => {
      const owner = await anOwner(api);
      const intentSignature = await signIntent(owner.wallet);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => propose(api, owner, { intentSignature })),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400, 400, 400, 400]);
      expect(await countOf(owner)).toBe(1);
      const refused = answers.find(({ statusCode }) => statusCode === 400);
      expect(refused === undefined ? "" : messageOf(refused)).toContain("was used before");
      const other = await anOwner(api);
      const same = await signIntent(other.wallet, { nonce: intentSignature.nonce });
      expect((await propose(api, other, { intentSignature: same })).statusCode).toBe(201);
    });
    test("400: over another text, for another chain or account, by another wallet, or expired", async () => {
      const [owner, other] = [await anOwner(api), await anOwner(api)];
      const { wallet } = owner;
      const expired = { expiresAt: now() };
      const { signature } = await signIntent(wallet);
      const cases = [
        await signIntent(wallet, { text: "Send everything." }),
        await signIntent(wallet, { chainId: 1 }),
        await signIntent(wallet, { account: other.wallet.address }),
        await signIntent(other.wallet, { account: wallet.address }),
        await signIntent(wallet, expired),
        { ...(await signIntent(wallet)), signature },
        { ...(await signIntent(wallet)), expiresAt: now() + 10_000 },
      ];
      for (const intentSignature of cases)
        expect((await propose(api, owner, { intentSignature })).statusCode).toBe(400);
      expect(await countOf(owner)).toBe(0);
    });
    test("503: if a contract wallet's chain is unavailable", async () => {
      const away = await aTestApi({ ...manyProposals, RPC_URLS: "11155111=http://127.0.0.1:9" });
      try {
        const owner = await anOwner(away);
        const signature = `0x${"ab".repeat(100)}`;
        const intentSignature = { ...(await signIntent(owner.wallet)), signature };
        expect((await propose(away, owner, { intentSignature })).statusCode).toBe(503);
      } finally {
        await away.close();
      }
    });
  });

  describe("that supersedes another", () => {
    test("201: ends the replaced one in the same transaction", async () => {
      const owner = await anOwner(api);
      const first = await propose(api, owner);
      const { requestHash: supersedes } = first.json<Proposed>();
      const second = await propose(api, owner, { supersedes });
      expect(second.statusCode).toBe(201);
      const replaced = await rowOf(first);
      expect(replaced).toMatchObject({ phase: "REJECTED", reason: "SUPERSEDED" });
      expect((await rowOf(second))["supersedes"]).toBe(replaced.id);
    });
    test("400: if it is unknown, another account's, or no longer pending", async () => {
      const [owner, other] = [await anOwner(api), await anOwner(api)];
      const { requestHash: foreign } = (await propose(api, other)).json<Proposed>();
      const { requestHash: ended } = (await propose(api, owner)).json<Proposed>();
      await propose(api, owner, { supersedes: ended });
      const refusals = await Promise.all(
        [`0x${"0".repeat(64)}`, foreign, ended].map((supersedes) => propose(api, owner, { supersedes })),
      );
      expect(refusals.map(messageOf)).toEqual([
        "supersedes names no transaction of this account",
        "supersedes names no transaction of this account",
        "supersedes names a transaction that is no longer pending",
      ]);
      expect(await countOf(owner)).toBe(2);
      const { rows } = await inDatabase(api, (client) =>
        client.query<{ phase: string }>("select phase from transactions where account = $1", [
          other.wallet.address.toLowerCase(),
        ]),
      );
      expect(rows).toEqual([{ phase: "RECEIVED" }]);
    });
    test("400: for all but one of several concurrent requests", async () => {
      const owner = await anOwner(api);
      const { requestHash: supersedes } = (await propose(api, owner)).json<Proposed>();
      const answers = await Promise.all(Array.from({ length: 5 }, () => propose(api, owner, { supersedes })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400, 400, 400]);
      expect(await countOf(owner)).toBe(2);
    });
  });

  describe("with a deadline", () => {
    test("201: which is its expiry", async () => {
      const deadline = now() + 3600;
      const answer = await propose(api, await anOwner(api), { deadline });
      expect(Date.parse(answer.json<Proposed>().expiresAt) / 1000).toBe(deadline);
    });
    test("400: less than five minutes or more than seven days ahead, or not in whole seconds", async () => {
      const owner = await anOwner(api);
      for (const deadline of [
        0,
        now() + 290,
        now() + 7 * 86_400 + 10,
        1e15,
        now() + 600.5,
        String(now() + 600),
      ])
        expect((await propose(api, owner, { deadline })).statusCode).toBe(400);
      expect((await propose(api, owner, { deadline: now() + 310 })).statusCode).toBe(201);
      expect((await propose(api, owner, { deadline: now() + 7 * 86_400 - 10 })).statusCode).toBe(201);
    });
    test("201: of seconds, where the settings allow it", async () => {
      const quick = await aTestApi({ ...manyProposals, MINIMUM_DEADLINE_SECONDS: "1", PENDING_SECONDS: "2" });
      try {
        const owner = await anOwner(quick);
        expect((await propose(quick, owner, { deadline: now() + 60 })).statusCode).toBe(201);
        const { expiresAt } = (await propose(quick, owner)).json<Proposed>();
        expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(60_000);
      } finally {
        await quick.close();
      }
    });
  });

  test("400: an unknown or inactive verification service", async () => {
    const owner = await anOwner(api);
    for (const verificationServiceId of [1, 77, 2 ** 53 - 1]) {
      const answer = await propose(api, owner, { verificationServiceId });
      expect(messageOf(answer)).toBe("verificationServiceId names no active verification service");
    }
  });
  test("400: parts that are valid separately and together too large for an envelope", async () => {
    const owner = await anOwner(api);
    const tx = { to: owner.wallet.address, value: "0", data: `0x${"ab".repeat(64 * 1024)}` };
    expect((await propose(api, owner, { tx })).statusCode).toBe(201);
    const answer = await propose(api, owner, { tx, contextLogs: { log: "x".repeat(60_000) } });
    expect([answer.statusCode, messageOf(answer)]).toEqual([400, expect.stringContaining("too large")]);
  });
  test("400: an undocumented form; nothing is recorded", async () => {
    const owner = await anOwner(api);
    const { tx } = aProposal("") as { tx: object };
    const deep = JSON.parse(`${'{"a":'.repeat(17)}1${"}".repeat(17)}`) as object;
    const wrong: readonly Record<string, unknown>[] = [
      { escrowAddress: "vitalik.eth" },
      { userPrompt: "" },
      { userPrompt: undefined },
      { userPrompt: "x".repeat(16_001) },
      { userPrompt: "half a character \ud800" },
      { userPrompt: "a nul \0" },
      { tx: undefined },
      { tx: { ...tx, to: undefined } },
      { tx: { ...tx, to: "0x12" } },
      { tx: { ...tx, gas: "1" } },
      { tx: { ...tx, value: 1 } },
      { tx: { ...tx, value: "-1" } },
      { tx: { ...tx, value: "+1" } },
      { tx: { ...tx, value: "1e18" } },
      { tx: { ...tx, value: "0x1" } },
      { tx: { ...tx, value: "1.0" } },
      { tx: { ...tx, value: "" } },
      { tx: { ...tx, value: String(2n ** 256n) } },
      { tx: { ...tx, data: "0x0" } },
      { tx: { ...tx, data: "" } },
      { tx: { ...tx, data: "0xzz" } },
      { contextLogs: [] },
      { contextLogs: "x" },
      { contextLogs: { log: "x".repeat(64 * 1024) } },
      { contextLogs: deep },
      { chainId: 0 },
      { chainId: 1.5 },
      { chainId: 2 ** 53 },
      { chainId: "1" },
      { encrypted: "false" },
      { supersedes: "0x12" },
      { intentSignature: {} },
    ];
    for (const overrides of wrong) {
      const answer = await propose(api, owner, overrides);
      expect([answer.statusCode, Object.keys(overrides)]).toEqual([400, Object.keys(overrides)]);
    }
    expect(await countOf(owner)).toBe(0);
  });
  test("400: a body that targets a prototype, or is nested too deeply", async () => {
    const { wallet, key } = await anOwner(api);
    const headers = { ...withKey(key), "content-type": "application/json" };
    const open = JSON.stringify(aProposal(wallet.address)).slice(0, -1);
    for (const more of [
      `"__proto__":{"a":1}`,
      `"contextLogs":{"a":${"[".repeat(3000)}${"]".repeat(3000)}}`,
    ]) {
      const answer = await api.http.send({
        ...{ method: "POST", url: "/transactions", headers, payload: `${open},${more}}` },
      });
      expect(answer.statusCode).toBe(400);
    }
  });
  test("400: with two credentials", async () => {
    const owner = await anOwner(api);
    const both = { ...withKey(owner.key), ...bearer(owner.who) };
    expect((await propose(api, owner, {}, both)).statusCode).toBe(400);
  });

  test("401: without a credential, with a wrong one, and with a signature", async () => {
    const owner = await anOwner(api);
    const body = JSON.stringify(aProposal(owner.wallet.address));
    const signed = await signatureHeaders(owner.wallet, { method: "POST", target: "/transactions", body });
    for (const headers of [{}, withKey(`${owner.key}x`), { authorization: "Bearer a.b.c" }, signed])
      expect((await propose(api, owner, {}, headers)).statusCode).toBe(401);
  });
  test("401: with a revoked key, before the body is parsed", async () => {
    const owner = await anOwner(api);
    const listed = await api.http.send({ url: "/user-api-keys", headers: bearer(owner.who) });
    for (const { id } of listed.json<{ id: string }[]>())
      await api.http.send({ method: "DELETE", url: `/user-api-keys/${id}`, headers: bearer(owner.who) });
    expect((await propose(api, owner, { userPrompt: 1 })).statusCode).toBe(401);
  });

  test("403: for another account's escrow and an unknown one, with the same message", async () => {
    const [owner, other] = [await anOwner(api), await anOwner(api)];
    const refusals = [];
    for (const escrowAddress of [other.wallet.address, aWallet().address])
      for (const headers of [withKey(owner.key), bearer(owner.who)])
        refusals.push(await propose(api, owner, { escrowAddress }, headers));
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    expect(new Set(refusals.map(({ body }) => body)).size).toBe(1);
    expect(refusals.map(messageOf)[0]).toBe("Not authorized for this escrow address");
  });
  test("403: with an ORION key, after the body is validated", async () => {
    const owner = await anOwner(api);
    expect((await propose(api, owner, {}, withKey(orionKey))).statusCode).toBe(403);
    expect((await propose(api, owner, { tx: 1 }, withKey(orionKey))).statusCode).toBe(400);
  });

  test("404: an admin key for an unknown escrow", async () => {
    const answer = await propose(api, { wallet: aWallet(), key: adminKey });
    expect([answer.statusCode, messageOf(answer)]).toEqual([404, "User not found"]);
  });

  describe("with an Idempotency-Key", () => {
    const keyed = ({ key }: Owner, name: string) => ({ ...withKey(key), "idempotency-key": name });

    test("201: repeating it gives the same answer byte for byte, and runs once", async () => {
      const owner = await anOwner(api);
      const first = await propose(api, owner, {}, keyed(owner, "one"));
      const again = await propose(api, owner, {}, keyed(owner, "one"));
      expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
      expect(again.body).toBe(first.body);
      expect(first.headers["idempotent-replayed"]).toBeUndefined();
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(await countOf(owner)).toBe(1);
    });
    test("201: also for a request that would not pass a second time", async () => {
      const owner = await anOwner(api);
      const { requestHash: supersedes } = (await propose(api, owner)).json<Proposed>();
      const intentSignature = await signIntent(owner.wallet);
      const overrides = { supersedes, intentSignature };
      const first = await propose(api, owner, overrides, keyed(owner, "two"));
      const again = await propose(api, owner, overrides, keyed(owner, "two"));
      expect([again.statusCode, again.body]).toEqual([201, first.body]);
    });
    test("201: a rejected request leaves the key free", async () => {
      const owner = await anOwner(api);
      const supersedes = `0x${"1".repeat(64)}`;
      expect((await propose(api, owner, { supersedes }, keyed(owner, "three"))).statusCode).toBe(400);
      expect((await propose(api, owner, {}, keyed(owner, "three"))).statusCode).toBe(201);
    });
    test("201: the key of another caller is another key", async () => {
      const [owner, other] = [await anOwner(api), await anOwner(api)];
      const answers = [
        await propose(api, owner, {}, keyed(owner, "same")),
        await propose(api, other, {}, keyed(other, "same")),
        await propose(api, owner, {}, { ...bearer(owner.who), "idempotency-key": "same" }),
      ];
      expect(new Set(answers.map((answer) => answer.json<Proposed>().id)).size).toBe(3);
    });
    test("409: for another body", async () => {
      const owner = await anOwner(api);
      await propose(api, owner, {}, keyed(owner, "four"));
      const answer = await propose(api, owner, { chainId: 1 }, keyed(owner, "four"));
      expect(answer.statusCode).toBe(409);
      expect(await countOf(owner)).toBe(1);
    });
    test.each(["", "a b", "é", "x".repeat(256)])("400: for the key %j", async (name) => {
      const owner = await anOwner(api);
      expect((await propose(api, owner, {}, keyed(owner, name))).statusCode).toBe(400);
    });
    test("409: or the same answer, for each of twenty concurrent requests: no 201 without a row, no row without a 201", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(1, 2), { minLength: 20, maxLength: 20 }),
          fc.boolean(),
          async (chainIds, withIntent) => {
            const owner = await anOwner(api);
            const more = withIntent
              ? { intentSignature: await signIntent(owner.wallet, { chainId: 1 }) }
              : {};
            const answers = await Promise.all(
              chainIds.map((chainId) => propose(api, owner, { chainId, ...more }, keyed(owner, "k"))),
            );
            const taken = answers.filter(({ statusCode }) => statusCode === 201);
            const rows = await countOf(owner);
            expect(rows).toBe(new Set(taken.map(({ body }) => body)).size);
            expect(rows).toBeLessThanOrEqual(1);
            const fresh = taken.filter(({ headers }) => headers["idempotent-replayed"] === undefined);
            expect(fresh.length).toBe(rows);
            for (const answer of answers) expect([201, 400, 409]).toContain(answer.statusCode);
            for (const { statusCode, headers, body } of answers)
              if (statusCode === 409 && body.includes("under way")) expect(headers["retry-after"]).toBe("1");
          },
        ),
        { numRuns: 8 },
      );
    }, 60_000);
  });

  describe("too often", () => {
    let strict: TestApi;
    beforeAll(async () => {
      strict = await aTestApi({ ENGINE_INGRESS_URL: "http://127.0.0.1:9" });
    });
    afterAll(() => strict.close());
    const repeat = async (times: number, send: () => ReturnType<typeof propose>) => {
      const answers = [];
      for (let count = 0; count < times; count++) answers.push(await send());
      return answers;
    };
    const statuses = (answers: readonly { readonly statusCode: number }[]) =>
      answers.map(({ statusCode }) => statusCode);

    test("429: blocks the 101st request of an address within a minute", async () => {
      expect(await exceedLimit(strict, { method: "POST", url: "/transactions" }, 100)).toBe(429);
    });
    test("429: blocks the 11th request of a signed-in user within a minute, and reports how many are left", async () => {
      const owner = await anOwner(strict);
      const answers = await repeat(11, () => propose(strict, owner, { chainId: 0 }, bearer(owner.who)));
      expect(statuses(answers)).toEqual([...Array<number>(10).fill(400), 429]);
      expect(answers[0]?.headers).toMatchObject({ "x-ratelimit-limit": "10", "x-ratelimit-remaining": "9" });
      expect(answers[10]?.headers["retry-after"]).toBeDefined();
      const other = bearer(await signIn(strict));
      expect((await propose(strict, owner, {}, other)).statusCode).toBe(403);
    });
    test("429: blocks the 31st request of a key within a minute", async () => {
      const owner = await anOwner(strict);
      const answers = await repeat(31, () => propose(strict, owner, { chainId: 0 }));
      expect(statuses(answers)).toEqual([...Array<number>(30).fill(400), 429]);
    });
  });
});

test("deletes expired rows, and nothing else", async () => {
  const owner = await anOwner(bare);
  const used = await signIntent(owner.wallet);
  const keyed = { ...withKey(owner.key), "idempotency-key": "sweep" };
  const first = await propose(bare, owner, { intentSignature: used }, keyed);
  await bare.app.sweep();
  expect((await propose(bare, owner, { intentSignature: used }, keyed)).body).toBe(first.body);
  await inDatabase(bare, async (client) => {
    await client.query("update idempotency_keys set created_at = now() - interval '3 days'");
    await client.query("update intent_nonces set expires_at = expires_at - 3 * 86400");
  });
  expect(await bare.app.sweep()).toBeGreaterThanOrEqual(2);
  const left = await inDatabase(bare, (client) =>
    client.query("select 1 from idempotency_keys union all select 1 from intent_nonces"),
  );
  expect(left.rows).toEqual([]);
});
