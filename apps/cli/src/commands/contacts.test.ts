import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const address = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const contact = {
  ...{ address, name: "Alice \u001B[31mMoreau", note: null },
  ...{ createdAt: "2026-11-15T10:00:00.000Z", updatedAt: "2026-11-15T10:00:00.000Z" },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  return { service, configDirectory };
}

test("list shows contacts, with names that cannot control the terminal", async () => {
  const { configDirectory } = await asOwner({ "GET /contacts": { body: [contact] } });
  const ran = await run("contacts list", { configDirectory });
  expect(ran.stdout).toContain(`${address}  Alice <U+001B>[31mMoreau`);
  const json = await run("contacts list --json", { configDirectory });
  expect(JSON.parse(json.stdout)).toEqual({ contacts: [contact] });
});

test("list says how to add the first contact", async () => {
  const { configDirectory } = await asOwner({ "GET /contacts": { body: [] } });
  expect((await run("contacts list", { configDirectory })).stdout).toContain("countersign contacts add");
});

test("add saves name and note", async () => {
  const { service, configDirectory } = await asOwner({ [`PUT /contacts/${address}`]: { body: contact } });
  const ran = await run(["contacts", "add", address, "Alice", "--note", "Design"], { configDirectory });
  expect(ran).toMatchObject({ code: 0, stdout: `${address} is now Alice <U+001B>[31mMoreau.\n` });
  expect(service.asked[0]?.body).toEqual({ name: "Alice", note: "Design" });
  const json = await run(["contacts", "add", address, "Alice", "--json"], { configDirectory });
  expect(JSON.parse(json.stdout)).toEqual({ contact });
});

test("remove asks first", async () => {
  const { service, configDirectory } = await asOwner({
    [`DELETE /contacts/${address}`]: { body: { address, deleted: true } },
  });
  const kept = await run(`contacts remove ${address}`, {
    ...{ configDirectory, isTerminal: true, answers: [false] },
  });
  expect([kept.code, service.asked.length]).toEqual([4, 0]);
  const json = await run(`contacts remove ${address} --yes --json`, { configDirectory });
  expect(JSON.parse(json.stdout)).toEqual({ address, deleted: true });
  expect(service.asked).toHaveLength(1);
});

test("rejects an address that would change the URL path", async () => {
  const { service, configDirectory } = await asOwner({});
  expect((await run("contacts remove ../auth/sessions --yes", { configDirectory })).code).toBe(2);
  expect((await run("contacts add ../settings Alice", { configDirectory })).code).toBe(2);
  expect(service.asked).toHaveLength(0);
});

test("requires the owner, not an agent's key", async () => {
  const env = { COUNTERSIGN_URL: "http://127.0.0.1:9", COUNTERSIGN_API_KEY: "k" };
  expect((await run("contacts list", { env })).code).toBe(3);
});
