import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { makeApiKeyStore, makeIssueKey, makeKeyAuthenticator } from "../api-keys/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { manageKeys } from "./keys.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 2, log: makeLog({ app: "test", level: "silent" }) });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const peppers = () =>
  Promise.resolve([{ id: "01890000-0000-7000-8000-000000000000", value: Buffer.alloc(32, 7) }] as const);
const parts = () => {
  const store = makeApiKeyStore(database.db);
  const log = makeLog({ app: "test", level: "silent" });
  return { store, issueKey: makeIssueKey({ store, peppers, environment: "test", clock: systemClock, log }) };
};
const manage = async (
  ...args: readonly string[]
): Promise<{ readonly known: boolean; readonly text: string }> => {
  const lines: string[] = [];
  const known = await manageKeys(parts(), args, (line) => lines.push(line));
  return { known, text: lines.join("\n") };
};
const authenticate = (key: string) =>
  makeKeyAuthenticator({ store: parts().store, peppers }).authenticate({
    method: "GET",
    target: "/",
    headers: { "x-api-key": key },
    rawBody: "",
    ip: "10.0.0.1",
  });

test("creates a server key without an account, shows it once, lists it without its secret, and revokes it", async () => {
  const { text } = await manage("create", "admin", "deployment robot");
  const [secret = ""] = /cs_admin_test_\w+/.exec(text) ?? [];
  const caller = await authenticate(secret);
  expect(caller).toMatchObject({ type: "admin", label: "agent", account: null });
  expect(caller?.scopes).toContain("transactions:create:any");

  const listed = (await manage()).text;
  expect(listed).toContain("deployment robot");
  expect(listed).not.toContain(secret.slice(-20));

  expect((await manage("revoke", caller?.keyId ?? "")).text).toContain("is revoked");
  expect(await authenticate(secret)).toBeUndefined();
});

test("uses the given label, or labels an orion key orion", async () => {
  const labelOf = async (...args: readonly string[]) => {
    const [secret = ""] = /cs_\w+/.exec((await manage("create", ...args)).text) ?? [];
    return (await authenticate(secret))?.label;
  };
  expect(await labelOf("orion", "the verifier")).toBe("orion");
  expect(await labelOf("admin", "second opinion", "--label", "arbiter")).toBe("arbiter");
});

test.each([
  [["create", "user", "a"]],
  [["create", "admin"]],
  [["create", "admin", "a", "--label", "boss"]],
  [["delete"]],
])("rejects %j", async (args) => {
  expect((await manage(...args)).known).toBe(false);
});
