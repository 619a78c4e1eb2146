// Two owners' programs send requests in random order. Nothing of one reaches the other, and the other's transactions
// cannot be distinguished from missing ones.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sizeOf } from "@countersign/tools/testing";
import type { Hex } from "@countersign/wire";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { aGrant, aPublicClient } from "../../test/oauth.ts";
import {
  aProposal,
  anOwner,
  inDatabase,
  manyProposals,
  withKey,
  type Owner,
} from "../../test/transactions.ts";
import { uriOf } from "./resource-uri.ts";
import { eras, type Era } from "../../test/mcp/handlers.ts";
import { begin, reach, written, type Handle } from "../../test/mcp/over-the-route.ts";

let api: TestApiWithKeys;
let orion: string;
beforeAll(async () => {
  api = await aTestApiWithKeys({
    ...manyProposals,
    MCP_REQUESTS_PER_MINUTE_PER_IP: "1000000",
    // The database has only this many connections to spare.
    DATABASE_POOL_SIZE: "5",
  });
  orion = await api.issueServerKey("orion");
});
afterAll(() => api.close());

type Credential = Readonly<Record<string, string>>;

const someHash = (): Hex => `0x${randomBytes(32).toString("hex")}`;

/** An owner's program, and everything it received. */
type Program = {
  readonly owner: Owner;
  readonly handle: Handle;
  readonly session: string;
  /** Marks this owner's own texts. */
  readonly mark: string;
  readonly hashes: Hex[];
  /** Hashes that it sent itself, which an answer may repeat. */
  readonly sent: Set<string>;
  readonly answers: string[];
  /** Received on streams, where nothing is repeated. */
  readonly streamed: string[];
  readonly streams: ReadableStreamDefaultReader<Uint8Array>[];
};

/** Reads until the stream ends or is closed. */
async function listenTo(
  { streams, streamed }: Program,
  { body }: Response,
  onFirst: (text: string) => void = () => undefined,
): Promise<void> {
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return;
  streams.push(reader);
  const decoder = new TextDecoder();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const text = decoder.decode(part.value, { stream: true });
      streamed.push(text);
      onFirst(text);
    }
  } catch {
    // The other side has disconnected. Everything received before counts.
  }
}

const byKey = async ({ key }: Owner): Promise<Credential> => withKey(key);
async function byToken({ who }: Owner): Promise<Credential> {
  const { access_token: token } = await aGrant(api, await aPublicClient(api), { who });
  return { authorization: `Bearer ${token}` };
}

async function aProgram(credentialOf: (owner: Owner) => Promise<Credential>): Promise<Program> {
  const owner = await anOwner(api);
  const handle = reach(api, await credentialOf(owner));
  const session = await begin(handle);
  const program: Program = {
    ...{ owner, handle, session, mark: randomBytes(12).toString("hex"), hashes: [], sent: new Set() },
    ...{ answers: [], streamed: [], streams: [] },
  };
  const headers = { accept: "text/event-stream", "mcp-session-id": session };
  const stream = await handle(new Request("https://api.example/mcp", { method: "GET", headers }));
  expect(stream.status).toBe(200);
  void listenTo(program, stream);
  return program;
}

type Message = Parameters<typeof written>[1];

/** Sends a request and records the complete answer. */
async function ask(program: Program, era: Era, message: Message): Promise<string> {
  for (const [hash] of JSON.stringify(message).matchAll(/0x[0-9a-f]{64}/g)) program.sent.add(hash);
  const response = await program.handle(
    written(era, message, era === "2025-11-25" ? program.session : undefined),
  );
  const { status, headers } = response;
  const kept = [...headers].filter(
    ([name]) => !/^(date|x-request-id|x-ratelimit-.*|content-length|connection|keep-alive)$/.test(name),
  );
  const answer = JSON.stringify([status, kept]) + (await response.text());
  program.answers.push(answer);
  return answer;
}

/** Opens a stream of the 2026 revision. It begins with the acknowledgement. */
async function listen(program: Program, hashes: readonly Hex[]): Promise<string> {
  const params = { notifications: { resourceSubscriptions: hashes.map(uriOf) } };
  const response = await program.handle(written("2026-07-28", { method: "subscriptions/listen", params }));
  return new Promise((resolve) => {
    void listenTo(program, response, resolve).then(() => {
      resolve("");
    });
  });
}

const tool = (name: string, given: object): Message => ({
  method: "tools/call",
  params: { name, arguments: given },
});

const proposalOf = ({ owner, mark }: Program, more: Readonly<Record<string, unknown>> = {}) =>
  tool(
    "requestVerification",
    aProposal(owner.wallet.address, {
      userPrompt: `words ${mark}`,
      contextLogs: { note: `context ${mark}` },
      ...more,
    }),
  );

async function propose(program: Program, era: Era): Promise<Hex> {
  const answer = await ask(program, era, proposalOf(program));
  const [, hash = ""] = /"structuredContent":\{.*?"requestHash":"(0x[0-9a-f]{64})"/.exec(answer) ?? [];
  expect(hash).not.toBe("");
  program.hashes.push(hash as Hex);
  return hash as Hex;
}

const decide = (requestHash: Hex, { mark }: Program) =>
  api.http.send({
    method: "POST",
    url: `/transactions/${requestHash}/approvals`,
    payload: { approved: false, confidence: 0.5, analysis: `analysis ${mark}` },
    headers: withKey(orion),
  });

/** Requests about a transaction. */
const questions: Readonly<Record<string, (hash: Hex, program: Program) => Message>> = {
  check: (requestHash) => tool("checkVerificationStatus", { requestHash }),
  read: (hash) => ({ method: "resources/read", params: { uri: uriOf(hash) } }),
  replace: (supersedes, program) => proposalOf(program, { supersedes }),
  subscribe: (hash) => ({ method: "resources/subscribe", params: { uri: uriOf(hash) } }),
  unsubscribe: (hash) => ({ method: "resources/unsubscribe", params: { uri: uriOf(hash) } }),
};

/** Requests about oneself, and invalid ones, some of which name the other owner. */
const otherQuestions: Readonly<Record<string, (program: Program, other: Program) => Message>> = {
  list: () => ({ method: "resources/list" }),
  tools: () => ({ method: "tools/list" }),
  templates: () => ({ method: "resources/templates/list" }),
  account: () => ({ method: "resources/read", params: { uri: "countersign://account" } }),
  wrongArguments: (program) => proposalOf(program, { tx: { to: "0x1" } }),
  wrongEscrow: (program, { owner }) => proposalOf(program, { escrowAddress: owner.wallet.address }),
  wrongTool: () => tool("approve", {}),
  wrongMethod: () => ({ method: "transactions/all" }),
  wrongUri: () => ({ method: "resources/read", params: { uri: "countersign://transactions/*" } }),
};

/** Asks about the other's transaction and about a missing one. The answers must be identical byte for byte. */
async function compare(theirs: Hex | undefined, answerTo: (hash: Hex) => Promise<string>): Promise<void> {
  if (theirs === undefined) return;
  const none = someHash();
  const [about, aboutNone] = [await answerTo(theirs), await answerTo(none)];
  expect(about.replaceAll(theirs, "#")).toBe(aboutNone.replaceAll(none, "#"));
}

const steps = fc.record({
  who: fc.constantFrom(0, 1),
  era: fc.constantFrom(...eras),
  pick: fc.nat(),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant("propose") },
    fc.constantFrom("decide", "listen", "listenToOther"),
    fc.constantFrom(...Object.keys(otherQuestions)),
    fc.constantFrom(...Object.keys(questions).flatMap((name) => [name, `${name} the other's`])),
  ),
});
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

const oneOf = (hashes: readonly Hex[], pick: number): Hex | undefined => hashes[pick % hashes.length];

async function take({ era, pick, what }: Step, program: Program, other: Program): Promise<void> {
  const [own, theirs] = [oneOf(program.hashes, pick), oneOf(other.hashes, pick)];
  const about = questions[what.replace(" the other's", "")];
  const aside = otherQuestions[what];
  if (what === "propose") await propose(program, era);
  else if (what === "decide") await (own === undefined ? undefined : decide(own, program));
  else if (what === "listen")
    await listen(
      program,
      [own, theirs].filter((hash) => hash !== undefined),
    );
  else if (what === "listenToOther") await compare(theirs, (hash) => listen(program, [hash]));
  else if (aside !== undefined) await ask(program, era, aside(program, other));
  else if (about === undefined) throw new Error(`no handler for ${what}`);
  else if (what.endsWith("the other's"))
    await compare(theirs, (hash) => ask(program, era, about(hash, program)));
  else if (own !== undefined) await ask(program, era, about(own, program));
}

/** Everything that identifies an owner or belongs to them, wherever it is stored. */
async function secretsOf({ owner, mark }: Program): Promise<readonly string[]> {
  const account = owner.wallet.address.toLowerCase();
  const { rows } = await inDatabase(api, (client) =>
    client.query<{ id: string }>(
      `select id::text from users where account = $1
       union all select id::text from transactions where account = $1
       union all select id::text from api_keys where account = $1
       union all select id::text from mcp_sessions where account = $1
       union all select id::text from oauth_grants where account = $1
       union all select a.id::text from approvals a join transactions t on t.id = a.transaction_id where t.account = $1`,
      [account],
    ),
  );
  expect(rows.length).toBeGreaterThan(2);
  return [account, mark, owner.key.toLowerCase(), ...rows.map(({ id }) => id)];
}

/** Makes a change that must arrive on the program's own stream. Everything earlier has arrived by then. */
async function settle(program: Program): Promise<void> {
  const hash = await propose(program, "2025-11-25");
  await decide(hash, program);
  await expect.poll(() => program.streamed.join(""), { timeout: 10_000 }).toContain(hash);
}

test("one owner's program receives nothing of another's, and cannot distinguish it from what does not exist", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (taken) => {
      const programs = [await aProgram(byKey), await aProgram(byToken)] as const;
      const [first, second] = programs;
      try {
        for (const program of programs) await propose(program, "2026-07-28");
        for (const step of taken)
          await (step.who === 0 ? take(step, first, second) : take(step, second, first));
        for (const program of programs) await settle(program);

        for (const [program, other] of [
          [first, second],
          [second, first],
        ] as const) {
          const [answers, streamed] = [program.answers, program.streamed].map((told) =>
            told.join("\n").toLowerCase(),
          ) as [string, string];
          const secrets = await secretsOf(other);
          const told = (text: string, words: readonly string[]) =>
            words.filter((word) => text.includes(word));
          expect(told(answers, secrets)).toEqual([]);
          expect(told(streamed, [...secrets, ...other.hashes])).toEqual([]);
          expect(
            told(
              answers,
              other.hashes.filter((hash) => !program.sent.has(hash)),
            ),
          ).toEqual([]);
          // Proves the test can see leaks: a program does receive its own data.
          expect(told(answers, [program.mark, ...program.hashes])).toHaveLength(1 + program.hashes.length);
        }
      } finally {
        for (const reader of programs.flatMap(({ streams }) => streams)) await reader.cancel();
      }
    }),
    { numRuns: sizeOf({ part: 3, all: 8 }) },
  );
}, 120_000);
