// The whole service with real dependencies, except the main service, which a test double replaces.
import { createServer } from "node:http";
import { encodeFunctionData, parseAbi, parseEther } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  hashReport,
  readAttestation,
  recoverAttestationSigner,
  registrationRoot,
  type Hex,
} from "@countersign/wire";
import {
  cidOf,
  digestOf,
  hashContent,
  writeRegistrations,
  type WholeContent,
} from "@countersign/wire/envelope";
import { freePorts, waitUntil } from "@countersign/tools/testing";
import type { Posted } from "../test/record-stand-in.ts";
import { setHarness, type Harness } from "../test/harness.ts";
import {
  aContent,
  aSealedEnvelope,
  aStandardEnvelope,
  aWord,
  anAddress,
  type SealedUp,
} from "../test/proposals.ts";

const canary = "canary-7f3a91";
let harness: Harness;
let enclave: ReturnType<typeof createServer>;
const proven: string[] = [];

beforeAll(async () => {
  const [enclavePort = 0] = await freePorts(1);
  // There is no enclave here. The test shows that its proof is requested and passed on unchanged.
  enclave = createServer((request, response) => {
    void (async () => {
      const { userData } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
        userData: string;
      };
      proven.push(userData);
      response.end(JSON.stringify({ format: "test", attestation: `over ${userData}` }));
    })();
  }).listen(enclavePort, "127.0.0.1");
  harness = await setHarness({ ENCLAVE_PROOF_URL: `http://127.0.0.1:${enclavePort}` });
}, 180_000);
afterAll(async () => {
  enclave.close();
  await harness.end();
});
beforeEach(() => {
  harness.record.open();
  harness.gateway.lie(false);
});

/** All contents have the canary, in the intent or only inside the encrypted content. */
const content = (changes: Parameters<typeof aContent>[0] = {}) =>
  aContent({ contextLogs: { note: canary }, ...changes });

const seal = (given: WholeContent = content()): Promise<SealedUp> =>
  aStandardEnvelope(harness.desk.pgpPublicKey, given, harness.domain);

/** The main service knows it, and has pinned and recorded it. */
async function submit(made: SealedUp): Promise<SealedUp> {
  harness.record.expect(made.requestHash);
  await harness.pin(made.bytes);
  await harness.recordOnChain(made);
  return made;
}

const verdictOf = ({ requestHash }: Pick<SealedUp, "requestHash">, seconds = 150): Promise<Posted> =>
  waitUntil("there is a verdict", () => harness.record.verdictOf(requestHash) ?? false, { seconds });

type Row = Readonly<Record<string, unknown>>;
async function query(sql: string): Promise<readonly Row[]> {
  const response = await fetch(`${harness.restate.adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: sql }),
  });
  if (!response.ok) throw new Error(`${sql}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { rows: Row[] }).rows;
}
const flowEnded = ({ requestHash }: Pick<SealedUp, "requestHash">): Promise<void> =>
  waitUntil(
    "the flow has ended",
    async () => {
      const rows = await query(
        `select status, completion_result from sys_invocation where target_service_key = '${requestHash}' and target_handler_name = 'run'`,
      );
      expect(rows).toMatchObject([{ status: "completed", completion_result: "success" }]);
    },
    { seconds: 60 },
  );

/** The verdict verifies, and matches what was posted. */
async function expectSigned(posted: Posted): Promise<void> {
  const attestation = readAttestation(posted.attestation) ?? expect.unreachable("no attestation");
  expect(await recoverAttestationSigner(attestation)).toBe(harness.desk.inbox);
  expect(attestation.verdict).toMatchObject({
    requestHash: posted.requestHash,
    decision: posted.decision,
    ...(posted.report === undefined ? {} : { reportHash: hashReport(posted.report) }),
  });
}

const friend: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const multicall = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function aggregate3Value(Call[] calls) payable",
]);

describe("verdicts", () => {
  test("an honest proposal is APPROVED, and the enclave's proof of that verdict is passed on", async () => {
    const given = content();
    harness.record.setTransactions(given.escrow, [{ status: "EXECUTED", tx: { to: friend, data: "0x" } }]);
    const made = await submit(await seal(given));
    expect(await harness.nudge({ requestHash: made.requestHash, cid: cidOf(made.digest) })).toBe(202);
    const posted = await verdictOf(made);
    expect(posted).toMatchObject({ decision: "APPROVED" });
    expect(posted.attestation.verdict).toMatchObject({
      escrow: given.escrow,
      to: given.to,
      value: given.value,
      validUntil: given.deadline,
    });
    await expectSigned(posted);
    await flowEnded(made);
    expect(harness.record.proofOf(made.requestHash)).toMatchObject({
      format: "test",
      attestation: expect.stringMatching(/^over 0x[0-9a-f]{64}$/) as unknown,
    });
  });
  test("a call hidden behind another is REJECTED, and the check is named", async () => {
    const value = parseEther("0.1");
    const callData: Hex = "0x";
    const calls = [friend, anAddress()].map((target) => ({
      target,
      allowFailure: false,
      value,
      callData,
    }));
    const data = encodeFunctionData({ abi: multicall, functionName: "aggregate3Value", args: [calls] });
    const to = "0xca11bde05977b3631167028862be2a173976ca11";
    const made = await submit(await seal(content({ to, data, value: (value * 2n).toString() })));
    const posted = await verdictOf(made);
    expect(posted).toMatchObject({ decision: "REJECTED" });
    expect(posted.analysis).toMatch(/hidden_call/);
    await expectSigned(posted);
  });
  test("a proposal that its sender encrypted is verified, and nothing of it is revealed", async () => {
    const made = await submit(
      await aSealedEnvelope(harness.desk.pgpPublicKey, content(), { home: harness.domain }),
    );
    const posted = await verdictOf(made);
    expect(posted).toMatchObject({ decision: "APPROVED" });
    expect(posted).not.toHaveProperty("report");
    await expectSigned(posted);
  });
  test("a proposal that came unencrypted is verified without chain and gateway", async () => {
    const unsealed = content({ executionType: 0, userPrompt: `Send 0.1 ETH to ${friend}` });
    const { requestHash } = await seal(unsealed);
    harness.record.expect(requestHash);
    expect(await harness.nudge({ requestHash, unsealed })).toBe(202);
    expect(await verdictOf({ requestHash })).toMatchObject({ decision: "APPROVED" });
  });
  test("a content with another hash than recorded is REJECTED", async () => {
    const made = await submit({ ...(await seal()), requestHash: aWord() });
    const posted = await verdictOf(made);
    expect(posted).toMatchObject({ decision: "REJECTED", report: { outcome: "invalid" } });
    expect(posted.analysis).toContain("does not match this request hash");
    await expectSigned(posted);
  });
  test("a payload that cannot be decrypted is REJECTED", async () => {
    const bytes = new TextEncoder().encode("no envelope at all");
    const { digestOf } = await import("@countersign/wire/envelope");
    const made = await submit({ requestHash: aWord(), bytes, digest: digestOf(bytes) });
    expect(await verdictOf(made)).toMatchObject({ decision: "REJECTED", report: { outcome: "invalid" } });
  });
  test("a nudge for a request that the chain assigns to another service is REJECTED", async () => {
    const made = await seal();
    harness.record.expect(made.requestHash);
    await harness.recordOnChain(made, anAddress());
    expect(await harness.nudge({ requestHash: made.requestHash })).toBe(202);
    expect((await verdictOf(made)).analysis).toContain("another verification service");
  });
});

describe("failures around it", () => {
  test("a gateway that returns wrong bytes: nothing is posted until they are right", async () => {
    harness.gateway.lie(true);
    const made = await submit(await seal());
    await waitUntil("it was lied to again and again", () => harness.gateway.lies() >= 3);
    expect(harness.record.triesOf(made.requestHash)).toBe(0);
    harness.gateway.lie(false);
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
  });
  test("a payload that is pinned late is waited for", async () => {
    const made = await seal();
    harness.record.expect(made.requestHash);
    await harness.recordOnChain(made);
    await harness.nudge({ requestHash: made.requestHash });
    expect(harness.record.triesOf(made.requestHash)).toBe(0);
    await harness.pin(made.bytes);
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
  });
  test("repeated nudges: one post", async () => {
    const made = await submit(await seal());
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => harness.nudge({ requestHash: made.requestHash })),
    );
    expect(new Set(statuses)).toEqual(new Set([202]));
    await verdictOf(made);
    await flowEnded(made);
    await harness.nudge({ requestHash: made.requestHash });
    expect(harness.record.triesOf(made.requestHash)).toBe(1);
  });
  test("a lost nudge: the watch finds the proposal on the chain", async () => {
    const made = await submit(await seal());
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
  });
  test("an entry that a reorg moves into an earlier block is found", async () => {
    const made = await seal();
    harness.record.expect(made.requestHash);
    await harness.pin(made.bytes);
    await harness.recordByReorg(made, 6);
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
  });
  test("a validator that is down and comes back: one verdict, and it is the validator's", async () => {
    await harness.kill("validator");
    const made = await submit(await seal());
    await harness.nudge({ requestHash: made.requestHash });
    await waitUntil("it was asked in vain", () =>
      harness.logs().includes("the validator could not be reached"),
    );
    expect(harness.record.triesOf(made.requestHash)).toBe(0);
    await harness.start("validator");
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
    await flowEnded(made);
    expect(harness.record.triesOf(made.requestHash)).toBe(1);
  });
  test("wrong tokens and wrong bodies are rejected", async () => {
    expect(await harness.nudge({ requestHash: aWord() }, "another token altogether")).toBe(401);
    expect(await harness.nudge({ requestHash: "0x12" })).toBe(400);
  });
});

describe("several at once", () => {
  /** Known to the main service, and pinned. */
  const prepare = async (count: number): Promise<readonly SealedUp[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const made = await seal();
        harness.record.expect(made.requestHash);
        await harness.pin(made.bytes);
        return made;
      }),
    );

  test("all proposals under a root are verified, each once, also without a nudge", async () => {
    const all = await prepare(12);
    const announced = await harness.recordRoot(all.slice(0, 6));
    await harness.recordRoot(all.slice(6));
    for (let count = 0; count < 3; count++) expect(await harness.nudge(announced)).toBe(202);
    for (const made of all) {
      const posted = await verdictOf(made);
      expect(posted).toMatchObject({ decision: "APPROVED" });
      await expectSigned(posted);
      await waitUntil("the proof is attached", () => harness.record.proofOf(made.requestHash) !== undefined);
      expect(harness.record.triesOf(made.requestHash)).toBe(1);
    }
  });
  test("an announced root is worth nothing before the chain has it", async () => {
    const [made] = (await prepare(1)) as [SealedUp];
    const { requestHash, digest } = made;
    const registrations = { inbox: harness.desk.inbox, entries: [{ requestHash, contentDigest: digest }] };
    const list = writeRegistrations(registrations);
    await harness.pin(list);
    await harness.nudge({ root: registrationRoot(registrations), list: cidOf(digestOf(list)) });
    await waitUntil("it waits for the chain", () => harness.logs().includes("does not have this root yet"));
    expect(harness.record.triesOf(requestHash)).toBe(0);
    await harness.recordRoot([made]);
    expect(await verdictOf(made)).toMatchObject({ decision: "APPROVED" });
  });
  test("a list that leads to another root than the chain has is not believed", async () => {
    const [recorded, smuggled, after] = (await prepare(3)) as [SealedUp, SealedUp, SealedUp];
    const entries = [{ requestHash: smuggled.requestHash, contentDigest: smuggled.digest }];
    const other = writeRegistrations({ inbox: harness.desk.inbox, entries });
    await harness.nudge(await harness.recordRoot([recorded], other));
    await harness.recordRoot([after]);
    await verdictOf(after);
    for (const { requestHash } of [recorded, smuggled]) expect(harness.record.triesOf(requestHash)).toBe(0);
  });
  test("a proposal that cannot be verified yet does not hold up the others of its root", async () => {
    const [late, ...others] = [await seal(), ...(await prepare(3))];
    harness.record.expect(late.requestHash);
    await harness.nudge(await harness.recordRoot([late, ...others]));
    for (const made of others) await verdictOf(made);
    expect(harness.record.triesOf(late.requestHash)).toBe(0);
    await harness.pin(late.bytes);
    expect(await verdictOf(late)).toMatchObject({ decision: "APPROVED" });
    for (const { requestHash } of others) expect(harness.record.triesOf(requestHash)).toBe(1);
  });
  test("proposals that came unencrypted in one nudge are verified without chain and gateway", async () => {
    const contents = Array.from({ length: 4 }, () => content({ executionType: 0 }));
    const hashes = contents.map((unsealed) => hashContent(harness.domain, unsealed));
    for (const requestHash of hashes) harness.record.expect(requestHash);
    const proposals = contents.map((unsealed, index) => ({ requestHash: hashes[index], unsealed }));
    expect(await harness.nudge({ proposals })).toBe(202);
    for (const requestHash of hashes)
      expect(await verdictOf({ requestHash })).toMatchObject({ decision: "APPROVED" });
  });
  test("killed while it posts those of a root: the next one posts the rest, each once", async () => {
    harness.record.shut("before");
    const all = await prepare(5);
    await harness.recordRoot(all);
    await waitUntil("it is posting", () => harness.record.held() > 0, { seconds: 60 });
    await harness.kill("orion");
    harness.record.open();
    await harness.start("orion");
    for (const made of all) await expectSigned(await verdictOf(made));
  });
});

describe("killed", () => {
  test.each([
    ["before the verdict is recorded", "before"],
    ["after it is recorded and before the answer", "after"],
  ] as const)("%s: there is one verdict, and the flow ends", async (_, gate) => {
    harness.record.shut(gate);
    const made = await submit(await seal());
    await waitUntil("it is posting", () => harness.record.held() > 0, { seconds: 60 });
    await harness.kill("orion");
    const early = harness.record.verdictOf(made.requestHash);
    expect(early === undefined).toBe(gate === "before");
    harness.record.open();
    await harness.start("orion");
    const posted = await verdictOf(made);
    await flowEnded(made);
    await expectSigned(posted);
    if (early !== undefined) expect(posted).toBe(early);
    expect(harness.record.triesOf(made.requestHash)).toBe(gate === "before" ? 2 : 1);
  });
  test("with an unencrypted proposal in memory: the next nudge brings it again", async () => {
    harness.record.shut("before");
    const unsealed = content({ executionType: 0 });
    const { requestHash } = await seal(unsealed);
    harness.record.expect(requestHash);
    await harness.nudge({ requestHash, unsealed });
    await waitUntil("it is posting", () => harness.record.held() > 0);
    await harness.kill("orion");
    harness.record.open();
    await harness.start("orion");
    await waitUntil("it looks for it in vain", () => harness.logs().includes("the chain has no entry"));
    expect(harness.record.verdictOf(requestHash)).toBeUndefined();
    expect(await harness.nudge({ requestHash, unsealed })).toBe(202);
    expect(await verdictOf({ requestHash })).toMatchObject({ decision: "APPROVED" });
  });
  test("with an unencrypted proposal in memory: the next process reads it from the main service", async () => {
    harness.record.shut("before");
    const unsealed = content({ executionType: 0 });
    const { requestHash } = await seal(unsealed);
    harness.record.expect(requestHash);
    harness.record.setContent(requestHash, unsealed);
    await harness.nudge({ requestHash, unsealed });
    await waitUntil("it is posting", () => harness.record.held() > 0);
    await harness.kill("orion");
    harness.record.open();
    await harness.start("orion");
    expect(await verdictOf({ requestHash })).toMatchObject({ decision: "APPROVED" });
  });
  test("while a proposal is recorded: the next one finds it on the chain, with no state but its keys", async () => {
    const { inbox } = harness.desk;
    await harness.kill("orion");
    const made = await submit(await seal());
    await harness.start("orion");
    await expectSigned(await verdictOf(made));
    expect((await (await fetch(harness.orionUrl)).json()) as object).toMatchObject({ inbox });
  });
});

/** As it may appear in a column of bytes. In base64 it looks different at each of three offsets. */
const formsOf = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString("hex"),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${" ".repeat(offset)}${text}`)
      .toString("base64")
      .slice(4, -4),
  ),
];

test("nothing of any proposal appears in a log line or in the engine", async () => {
  const tables = ["sys_invocation", "sys_journal", "sys_journal_events", "sys_inbox", "sys_promise", "state"];
  const rows = await Promise.all(tables.map((table) => query(`select * from ${table}`)));
  const engine = JSON.stringify(rows);
  // Proves that the search works: it sees the keys, and the results of steps.
  expect(rows[0]?.length).toBeGreaterThan(10);
  const [last = ""] = proven;
  expect(formsOf(last).some((form) => engine.includes(form))).toBe(true);
  for (const text of [canary, "Send 0.1 ETH", "BEGIN PGP MESSAGE"])
    for (const form of formsOf(text)) {
      expect(engine).not.toContain(form);
      expect(harness.logs()).not.toContain(form);
    }
});
