// The whole system sends a transaction through a custodian. Afterwards everything that was stored, logged, journalled
// and answered is searched for the two secrets involved: the custodian's API key, and the private key that signs for
// it.
import { createPrivateKey } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { makeTeller, setStage, unpackWriteAheadLog } from "../../../tools/stage/index.ts";
import type { Kept, Stage, Told } from "../../../tools/stage/index.ts";
import { Config } from "./config.ts";
import { connectDatabase } from "./platform/db/connect.ts";
import { loadKeks, makeSecretStore } from "./platform/secrets/index.ts";

let stage: Stage;
let told: Told;
let kept: Kept;
let privateKey: Buffer;
beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  told = await makeTeller(stage).tell("custody");
  if (told.owner.kept === undefined) throw new Error("not found in the secret store");
  ({ kept } = told.owner);
  privateKey = await readPrivateKey();
});
afterAll(() => stage.end());

/** As the service itself reads it. */
async function readPrivateKey(): Promise<Buffer> {
  const log = makeLog({ app: "test", level: "silent" });
  const config = loadConfig(Config, { SECRETS_KEY_FILE: stage.dir.secretsKeyFile });
  const { db, close } = connectDatabase({ url: stage.urls.postgres, poolSize: 1, log });
  try {
    const secrets = makeSecretStore({ db, keks: () => loadKeks(config, log) });
    const [secret, ...others] = await secrets.listCurrent("custody-key");
    if (secret === undefined || others.length > 0) throw new Error("there should be one key");
    return secret.value;
  } finally {
    await close();
  }
}

/** The key begins with its public part: the modulus, which the CSR contains too. */
const publicBytes = 576;

const formsOf = (bytes: Buffer): readonly string[] => [
  bytes.toString("hex"),
  bytes.toString("base64"),
  bytes.toString("base64url"),
];

/** The secret members of a key, as in a JWK. */
const parts = ["d", "p", "q", "dp", "dq", "qi"];

/** Every encoding of one of the secrets, or of a large part of it. */
function secretTexts(): ReadonlyMap<string, string> {
  const key = createPrivateKey({ key: privateKey, format: "der", type: "pkcs8" });
  const jwk = key.export({ format: "jwk" }) as Readonly<Record<string, string>>;
  const written = parts.flatMap((name) =>
    formsOf(Buffer.from(jwk[name] ?? "", "base64url")).map((text) => [`${name} of the key`, text] as const),
  );
  // Lines of a PEM, which breaks after 48 bytes.
  const lines = privateKey.subarray(publicBytes).toString("base64").match(/.{64}/g);
  const texts = [
    ["the API key", kept.apiKey] as const,
    ...formsOf(Buffer.from(kept.apiKey)).map((text) => ["the API key, encoded", text] as const),
    ...written,
    ...formsOf(privateKey.subarray(publicBytes)).map((text) => ["the end of the key", text] as const),
    ...(lines ?? []).map((text) => ["a line of the PEM", text] as const),
  ];
  return new Map(texts.map(([name, text]) => [text, name]));
}

const findIn = (text: string): readonly string[] =>
  [...secretTexts()].flatMap(([secret, name]) => (text.includes(secret) ? [name] : []));

/** Proves that the search can find something. */
function expectClean(text: string, known: string): void {
  expect(text).toContain(known);
  expect(findIn(text)).toEqual([]);
}

function listFiles(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Journals and tables as the engine shows them to an operator. */
async function askEngine(table: string): Promise<string> {
  const answer = await fetch(`${stage.urls.restateAdmin}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: `select * from ${table}` }),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

test("the secrets exist, and were used", () => {
  expect(told.last.status).toBe("EXECUTED");
  expect(stage.custodian.accepted()).toMatchObject([{ externalTxId: told.requestHash, apiKey: kept.apiKey }]);
  expect(secretTexts().size).toBeGreaterThan(50);
  const jwk = createPrivateKey({ key: privateKey, format: "der", type: "pkcs8" }).export({ format: "jwk" });
  // Lines of the PEM may match as well, if the key happens to be encoded with the same alignment.
  const found = new Set(findIn(JSON.stringify(jwk)));
  for (const part of parts) expect(found).toContain(`${part} of the key`);
});

test("no table of the database contains one of them", async () => {
  const tables = await stage.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      stage.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`),
    ),
  );
  // As text, with bytes in hexadecimal.
  expectClean(JSON.stringify(rows), told.requestHash.slice(2));
  const bytes = rows
    .flat()
    .flatMap(({ row }) => [...row.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => hex ?? ""));
  const decoded = bytes.map((hex) => Buffer.from(hex, "hex").toString("latin1")).join("\n");
  expect(findIn(decoded)).toEqual([]);
});

test("no log line contains one of them", () => {
  const files = listFiles(stage.logDir);
  expect(files.some((file) => file.endsWith("api.log"))).toBe(true);
  expectClean(files.map((file) => readFileSync(file, "latin1")).join("\n"), '"app":"api"');
});

test.each(["sys_journal", "sys_invocation"])("the engine's %s contains none of them", async (table) => {
  const text = await askEngine(table);
  expectClean(text, told.requestHash);
  // Bytes appear as an array of numbers, or in another encoding than text.
  const hex = [...text.matchAll(/"([0-9a-f]{40,})"/g)].map(([, digits]) => Buffer.from(digits ?? "", "hex"));
  expect(findIn(Buffer.concat(hex).toString("latin1"))).toEqual([]);
});

test("the engine's state contains none of them", async () => {
  expect(findIn(await askEngine("state"))).toEqual([]);
});

test("no file of the engine, the chain or the gateway contains one of them", () => {
  const jwk = createPrivateKey({ key: privateKey, format: "der", type: "pkcs8" }).export({ format: "jwk" });
  const raw = [jwk.d, jwk.p, jwk.q].map((part) => Buffer.from(part ?? "", "base64url").subarray(0, 64));
  const { restate, anvil, ipfs } = stage.dir;
  let seen = 0;
  for (const file of [restate, anvil, ipfs].flatMap(listFiles)) {
    const content = readFileSync(file);
    for (const bytes of /\/\d+\.log$/.test(file) ? [content, unpackWriteAheadLog(content)] : [content]) {
      if (bytes.includes(told.requestHash)) seen += 1;
      expect([file, findIn(bytes.toString("latin1"))]).toEqual([file, []]);
      expect([file, raw.filter((part) => bytes.includes(part)).length]).toEqual([file, 0]);
    }
  }
  expect(seen).toBeGreaterThan(0);
});

test("no answer contains one of them, for any caller", async () => {
  const headers = told.owner.credentials().owner;
  const paths = ["/custody/integrations", "/custody/integration/agent", "/custody/csr/agent"];
  const answers = await Promise.all(
    paths.map(async (path) => (await fetch(`${stage.urls.api}${path}`, { headers })).text()),
  );
  expectClean(JSON.stringify([kept.answers, answers]), "BEGIN CERTIFICATE REQUEST");
});
