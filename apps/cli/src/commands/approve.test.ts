import { describe, expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { emptyDirectory, run } from "../../test/run-cli.ts";
import { aProposal, judgedAs, later, path, requestHash, sent, view } from "../../test/commands.ts";

const approval = { status: 201, body: { id: "1", decision: "APPROVED", type: "user_ui" } };
const more = { [`POST ${path}/approvals`]: approval };

/** Creates a profile with the owner's session. */
async function asOwner(url: string) {
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("default", () => ({ url, session }));
  return { configDirectory };
}

describe("countersign approve", () => {
  test("shows the report, asks, and approves as the owner", async () => {
    const { url, asked } = await aProposal([view], more);
    const { stderr, code, questions } = await run(`approve ${requestHash}`, {
      ...(await asOwner(url)),
      ...{ isTerminal: true, answers: [true], env: { NO_COLOR: "1" } },
    });
    expect(stderr).toMatch(/✓ PASS\.[^]*\nAsked\n[^]*\nDoes, on Sepolia\n[^]*\nDiffers\n/);
    expect(questions).toHaveLength(1);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([{ decision: "APPROVED" }]);
    expect(asked.at(-1)?.headers.authorization).toBe("Bearer access");
    expect(code).toBe(0);
  });

  test("changes nothing when the owner answers no", async () => {
    const { url, asked } = await aProposal([view], more);
    const options = { ...(await asOwner(url)), isTerminal: true, answers: [false] };
    const { code, stderr } = await run(`approve ${requestHash}`, options);
    expect(stderr).toContain("Nothing has changed");
    expect(code).toBe(5);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([]);
  });

  test("asks again for an unverified proposal, and respects a no", async () => {
    const { url, asked } = await aProposal([judgedAs("UNDECIDED")], more);
    const options = { ...(await asOwner(url)), isTerminal: true, answers: [true, false] };
    const { questions, code } = await run(`approve ${requestHash}`, options);
    expect(questions[1]).toContain("UNDECIDED");
    expect(code).toBe(5);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([]);
  });

  test("applies --yes to the first question only", async () => {
    const { url, asked } = await aProposal([judgedAs("UNDECIDED")], more);
    const options = await asOwner(url);
    expect((await run(`approve ${requestHash} --yes`, options)).code).toBe(5);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([]);
    expect((await run(`approve ${requestHash} --yes --despite-verdict`, options)).code).toBe(0);
    expect(sent(asked, "POST", `${path}/approvals`)).toHaveLength(1);
  });

  test("does not approve without a terminal and --yes", async () => {
    const { url, asked } = await aProposal([view], more);
    expect((await run(`approve ${requestHash}`, await asOwner(url))).code).toBe(2);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([]);
  });

  test("rejects an agent's key without a request", async () => {
    const { env, asked } = await aProposal([view], more);
    const { stderr, code } = await run(`approve ${requestHash} --yes`, { env });
    expect(stderr).toContain("agents can't approve");
    expect(stderr).toContain("countersign login --wallet");
    expect(code).toBe(3);
    expect(asked).toEqual([]);
  });

  test("exits with 4 for a rejected and 0 for an approved proposal", async () => {
    const rejected = await aProposal([judgedAs("REJECTED", { status: "REJECTED", phase: "REJECTED" })], more);
    expect((await run(`approve ${requestHash} --yes`, await asOwner(rejected.url))).code).toBe(4);
    const ready = await aProposal([later({ status: "APPROVED", phase: "READY" })], more);
    expect((await run(`approve ${requestHash} --yes`, await asOwner(ready.url))).code).toBe(0);
    for (const { asked } of [rejected, ready]) expect(sent(asked, "POST", `${path}/approvals`)).toEqual([]);
  });
});

describe("countersign reject", () => {
  test("acts as the owner with a session", async () => {
    const { url, asked } = await aProposal([view], more);
    expect((await run(`reject ${requestHash} --json`, await asOwner(url))).code).toBe(0);
    expect(sent(asked, "POST", `${path}/approvals`)).toEqual([{ decision: "REJECTED" }]);
    expect(asked[0]?.headers.authorization).toBe("Bearer access");
  });

  test("acts as the agent with only a key", async () => {
    const { env, asked } = await aProposal([view], more);
    expect((await run(`reject ${requestHash}`, { env })).code).toBe(0);
    expect(asked[0]?.headers["x-api-key"]).toBe("cs_user_test_key");
  });
});

describe("countersign withdraw", () => {
  test("withdraws the proposal and shows its new state", async () => {
    const over = later({ status: "REJECTED", phase: "REJECTED", reason: "WITHDRAWN" });
    const { env } = await aProposal([view], { [`POST ${path}/withdraw`]: { body: over } });
    const { stdout, code } = await run(`withdraw ${requestHash}`, { env });
    expect(stdout).toContain("Withdrawn.");
    expect(code).toBe(0);
  });
});

describe("countersign status", () => {
  test("shows one proposal, or its JSON with --json", async () => {
    const { env } = await aProposal();
    expect((await run(`status ${requestHash}`, { env })).stdout).toContain("PENDING.");
    expect(JSON.parse((await run(`status ${requestHash} --json`, { env })).stdout)).toEqual(view);
  });

  test("lists the newest proposals, or says how to start", async () => {
    const list = `GET /transactions/users/${view.escrowAddress}`;
    const some = await aProposal([view], { [list]: { body: [view] } });
    expect((await run("status", { env: some.env })).stdout).toContain(requestHash);
    expect(some.asked.at(-1)?.query.get("limit")).toBe("10");
    const none = await aProposal([view], { [list]: { body: [] } });
    expect((await run("status", { env: none.env })).stdout).toContain("countersign propose");
  });

  test("exits with 6 for an unknown hash", async () => {
    const { env } = await aProposal();
    expect((await run(`status 0x${"0".repeat(64)}`, { env })).code).toBe(6);
  });
});
