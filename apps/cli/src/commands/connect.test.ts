import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

const code = "ab12".repeat(8);
const address = `0x${"11".repeat(20)}`;
const info = {
  ...{ status: "pending", createdAt: "2026-11-15T12:00:00.000Z", expiresAt: "2026-11-15T12:10:00.000Z" },
  ...{ initiatorAddress: "203.0.113.7", userAgent: "agent/1 \u202Eevil", codePrefix: "ab12" },
};

async function asOwner(status = "pending") {
  const service = await aService({
    "GET /auth/connect/info": { body: { ...info, status } },
    "GET /auth/me": { body: { ethereumAddress: address } },
    "POST /auth/connect/approve": { body: { success: true } },
  });
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  const approvals = () => service.asked.filter(({ path }) => path === "/auth/connect/approve");
  return { approvals, configDirectory };
}

test("shows the agent before asking, and approves after a yes", async () => {
  const { approvals, configDirectory } = await asOwner();
  const ran = await run(`connect ${code}`, { configDirectory, isTerminal: true, answers: [true] });
  expect(ran.code).toBe(0);
  for (const text of [address, "203.0.113.7", "agent/1 <U+202E>evil", "starts with ab12"])
    expect(ran.stderr).toContain(text);
  expect(ran.questions[0]).toContain("ab12");
  expect(approvals().map(({ body }) => body)).toEqual([{ code }]);
});

test("approves nothing after a no", async () => {
  const { approvals, configDirectory } = await asOwner();
  const ran = await run(`connect ${code}`, { configDirectory, isTerminal: true, answers: [false] });
  expect(ran.code).toBe(4);
  expect(approvals()).toEqual([]);
});

test("accepts the whole link", async () => {
  const { approvals, configDirectory } = await asOwner();
  const link = `https://ui.example/connect?code=${code}`;
  const ran = await run(["connect", link, "--yes", "--json"], { configDirectory });
  expect(JSON.parse(ran.stdout)).toMatchObject({ connected: true, account: address, codePrefix: "ab12" });
  expect(approvals()).toHaveLength(1);
});

test("rejects --yes on a terminal", async () => {
  const { approvals, configDirectory } = await asOwner();
  const attended = await run(`connect ${code} --yes`, { configDirectory, isTerminal: true });
  expect(attended.code).toBe(2);
  expect(approvals()).toEqual([]);
  expect((await run(`connect ${code} --yes`, { configDirectory })).code).toBe(0);
  expect((await run(`connect ${code} --yes --json`, { configDirectory, isTerminal: true })).code).toBe(0);
  expect(approvals()).toHaveLength(2);
});

test("needs --yes without a terminal", async () => {
  const { approvals, configDirectory } = await asOwner();
  expect((await run(`connect ${code}`, { configDirectory })).code).toBe(2);
  expect(approvals()).toEqual([]);
});

test("reports a code that was already approved", async () => {
  const { approvals, configDirectory } = await asOwner("ready");
  const ran = await run(`connect ${code} --yes`, { configDirectory });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("countersign keys list");
  expect(approvals()).toEqual([]);
});

test.each(["ab12", "zz".repeat(16), "https://ui.example/connect"])("rejects %s as a code", async (said) => {
  expect((await run(["connect", said])).code).toBe(2);
});
