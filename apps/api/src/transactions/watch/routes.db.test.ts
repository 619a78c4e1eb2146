// Answers about chains that are not watched, from the first to the last.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../test/api-keys.ts";
import { bearer, signIn, type SignedIn } from "../../../test/sign-in.ts";
import { exceedLimit } from "../../../test/test-api.ts";
import { aProposal, inDatabase, manyProposals } from "../../../test/transactions.ts";
import { aCustodyWallet } from "../../../test/transactions/custody-wallet.ts";

const unwatched = 424_242;
const tx = { to: `0x${"11".repeat(20)}`, value: "1000000000000000", data: "0x" };
const notice =
  "We do not watch this chain: an execution there will not be seen, and nothing is sent through custody.";

let custodian: CustodianStandIn;
let api: TestApiWithKeys;
let owner: SignedIn;
let vault: string;
let admin: string;

beforeAll(async () => {
  custodian = await startCustodianStandIn({});
  const RPC_URLS = "11155111=http://127.0.0.1:9,1=http://127.0.0.1:9";
  api = await aTestApiWithKeys({ ...manyProposals, CUSTODIAN_URL: custodian.url, RPC_URLS });
  owner = await signIn(api);
  await put({ executionType: 2 });
  vault = await aCustodyWallet(api, owner, { custodian, type: "agent" });
  admin = await api.issueServerKey("admin");
}, 60_000);
afterAll(async () => {
  await api.close();
  await custodian.close();
});

const put = (payload: object) =>
  api.http.send({ method: "PUT", url: "/settings", payload, headers: bearer(owner) });
const get = async <T>(url: string): Promise<T> =>
  (await api.http.send({ url, headers: bearer(owner) })).json<T>();
type View = { readonly requestHash: string; readonly id: string } & Record<string, unknown>;
const propose = async (chainId: number): Promise<View> => {
  const payload = aProposal(vault, { chainId, tx });
  const answer = await api.http.send({
    ...{ method: "POST", url: "/transactions", payload, headers: bearer(owner) },
  });
  expect(answer.statusCode).toBe(201);
  return answer.json<View>();
};

describe("GET /chains", () => {
  test("200: the chains that have a node, and what is seen there", async () => {
    const answer = await api.http.send({ url: "/chains" });
    expect(answer.statusCode).toBe(200);
    const chains = answer.json<readonly Record<string, unknown>[]>();
    expect(chains.map(({ chainId }) => chainId)).toEqual([1, 11_155_111]);
    expect(chains[0]).toMatchObject({ lastBlock: null, caughtUpAt: null });
    expect(JSON.stringify(chains[0]?.["notSeen"])).toContain("module");
  });

  test("429: blocks an address that asks too often", async () => {
    const few = await aTestApiWithKeys({ READS_PER_MINUTE_PER_IP: "3" });
    expect(await exceedLimit(few, { method: "GET", url: "/chains" }, 3)).toBe(429);
    await few.close();
  });
});

test("a proposal for a watched chain says so, and is sent through custody", async () => {
  const proposed = await propose(11_155_111);
  expect(proposed).toMatchObject({ chainWatched: true, notice: null });
  expect(await get(`/transactions/${proposed.requestHash}`)).toMatchObject({
    ...{ chainWatched: true, notice: null, executor: "service" },
  });
});

test("a proposal for any other chain is accepted; every view says at once that its execution will not be seen", async () => {
  const proposed = await propose(unwatched);
  expect(proposed).toMatchObject({ chainId: unwatched, chainWatched: false, notice });
  const url = `/transactions/${proposed.requestHash}`;
  expect(await get(url)).toMatchObject({ chainWatched: false, notice, executor: "wallet" });
  expect(await get(`${url}/approval-status`)).toMatchObject({ user: [], chainWatched: false, notice });
  const address = owner.user.ethereumAddress;
  const [listed] = await get<readonly View[]>(`/transactions/users/${address}?limit=1`);
  expect(listed).toMatchObject({ requestHash: proposed.requestHash, notice });
  const shown = await get(`/public/agents/${address}/transactions/${proposed.requestHash}`);
  expect(shown).toMatchObject({ chainId: unwatched, chainWatched: false });
});

test("an approval that expires there keeps its status, claims nothing and says to check the wallet", async () => {
  const { requestHash, id } = await propose(unwatched);
  await inDatabase(api, (client) =>
    client.query(
      `update transactions set phase = 'READY', orion = 'APPROVED', expires_at = now() where id = $1`,
      [id],
    ),
  );
  // Nothing is sent through custody, for any caller.
  const payload = { escrowAddress: vault, ...tx, requestHash, type: "agent" };
  const asked = await api.http.send({
    ...{ method: "POST", url: "/custody/admin/transactions", payload, headers: { "x-api-key": admin } },
  });
  expect(asked.statusCode).toBe(400);
  await api.app.sweep();
  const view = await get<View>(`/transactions/${requestHash}`);
  expect(view).toMatchObject({
    ...{ status: "APPROVED", phase: "LAPSED", reason: "UNWATCHED", expiresAt: null, alert: null },
    reasonDetail: "We do not watch this chain. Check your wallet before proposing again.",
    transactionHash: null,
  });
  const late = await api.http.send({
    ...{ method: "POST", url: `/transactions/${requestHash}/approvals`, headers: bearer(owner) },
    payload: { decision: "REJECTED" },
  });
  expect(late.statusCode).toBe(400);
});

test("400: an administrator cannot send there, though it is approved and was simulated", async () => {
  const { requestHash, id } = await propose(unwatched);
  await inDatabase(api, async (client) => {
    await client.query(`update transactions set phase = 'READY', orion = 'APPROVED' where id = $1`, [id]);
    await client.query(
      `insert into snapshots (transaction_id, account, taken) select id, account, '{}' from transactions where id = $1`,
      [id],
    );
  });
  const payload = { escrowAddress: vault, ...tx, requestHash, type: "agent" };
  const answer = await api.http.send({
    ...{ method: "POST", url: "/custody/admin/transactions", payload, headers: { "x-api-key": admin } },
  });
  expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([
    400,
    "transactions.chain-not-watched",
  ]);
  expect(custodian.accepted()).toEqual([]);
});
