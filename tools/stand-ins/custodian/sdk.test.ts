// Runs the custodian's own library and our client against the test double: both must send the same requests.
import { systemClock } from "@countersign/platform/clock";
import {
  Fireblocks,
  TransferPeerPathType,
  type TransactionsApiCreateTransactionRequest,
} from "@fireblocks/ts-sdk";
import { keccak256, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustodian, type Access } from "../../../apps/api/src/adapters/custodian/index.ts";
import { startCustodianStandIn, type CustodianStandIn } from "./stand-in.ts";
import { aUser, pemOf } from "./testing.ts";

const chainId = 11_155_111;
const assetId = "ETH_TEST5";

let standIn: CustodianStandIn;
let access: Access;
let theirs: Fireblocks;
const ours = () =>
  makeCustodian({ url: standIn.url, assets: { [chainId]: assetId }, timeoutMs: 2_000, clock: systemClock });
beforeAll(async () => {
  standIn = await startCustodianStandIn({});
  const user = await aUser(standIn);
  access = { ...user, environment: "sandbox", region: "US" };
  theirs = new Fireblocks({
    apiKey: user.apiKey,
    secretKey: pemOf(user.privateKey),
    basePath: `${standIn.url}/v1`,
  });
});
afterAll(() => standIn.close());

const anOrder = (name: string, data: `0x${string}` = "0x") => ({
  requestHash: keccak256(toHex(name)),
  chainId,
  to: `0x${"cd".repeat(20)}` as const,
  value: 1_500_000_000_000_000_001n,
  data,
});
const toTheirs = (order: ReturnType<typeof anOrder>): TransactionsApiCreateTransactionRequest => ({
  transactionRequest: {
    operation: order.data === "0x" ? "TRANSFER" : "CONTRACT_CALL",
    assetId,
    source: { type: TransferPeerPathType.VaultAccount, id: access.vaultAccountId },
    destination: { type: TransferPeerPathType.OneTimeAddress, oneTimeAddress: { address: order.to } },
    amount: "1.500000000000000001",
    externalTxId: order.requestHash,
    note: `Countersign ${order.requestHash}`,
    ...(order.data === "0x" ? {} : { extraParameters: { contractCallData: order.data } }),
  },
  idempotencyKey: order.requestHash.slice(2, 42),
});

/** The request on the wire, without values that change each time. */
const last = () => {
  const seen = standIn.requests().at(-1);
  if (seen === undefined) throw new Error("nothing was asked");
  const { nonce, iat, exp, ...claims } = seen.claims ?? {};
  return {
    method: seen.method,
    path: seen.path,
    body: seen.body,
    status: seen.status,
    claims,
    lifetime: Number(exp) - Number(iat),
    nonceIsUuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(nonce)),
    apiKey: seen.headers["x-api-key"],
    idempotencyKey: seen.headers["idempotency-key"],
    contentType: seen.headers["content-type"],
    tokenHeader: JSON.parse(
      Buffer.from(
        String(seen.headers["authorization"]).replace("Bearer ", "").split(".")[0] ?? "",
        "base64url",
      ).toString(),
    ) as unknown,
  };
};

describe("their library is accepted", () => {
  test("with an order, and finds it", async () => {
    const order = anOrder("sdk-1");
    const { data } = await theirs.transactions.createTransaction(toTheirs(order));
    expect(data).toMatchObject({ status: "SUBMITTED" });
    const found = await theirs.transactions.getTransactionByExternalId({ externalTxId: order.requestHash });
    expect(found.data).toMatchObject({ id: data.id, status: "PENDING_SIGNATURE" });
    expect(await ours().openSender(access).find(order.requestHash)).toMatchObject({
      theirId: data.id,
      call: { to: order.to, value: order.value, data: "0x" },
    });
  });
  test("with a vault and its address", async () => {
    const { vaultAccountId } = access;
    expect((await theirs.vaults.getVaultAccount({ vaultAccountId })).data.id).toBe(vaultAccountId);
    const { data } = await theirs.vaults.getVaultAccountAssetAddressesPaginated({ vaultAccountId, assetId });
    expect(data.addresses?.[0]?.address?.toLowerCase()).toBe(await ours().readAddress(access, chainId));
  });
});

describe("our client sends what their library sends", () => {
  test.each(["0x", "0xa9059cbb"] as const)("for an order with the data %s", async (data) => {
    const order = anOrder(`same-${data}`, data);
    await theirs.transactions.createTransaction(toTheirs(order));
    const wanted = last();
    await ours().openSender(access).send(order);
    // To the last byte: it was answered as a repetition, not refused as another.
    const sent = last();
    expect(sent).toEqual({ ...wanted, contentType: "application/json" });
    expect(sent).toMatchObject({ status: 200, lifetime: 55, nonceIsUuid: true });
    expect(standIn.accepted().filter(({ externalTxId }) => externalTxId === order.requestHash)).toHaveLength(
      1,
    );
  });
  test("for the order status", async () => {
    const { requestHash } = anOrder("sdk-1");
    await theirs.transactions.getTransactionByExternalId({ externalTxId: requestHash });
    const wanted = last();
    await ours().openSender(access).find(requestHash);
    expect(last()).toEqual({ ...wanted, contentType: undefined });
  });
  test("for a vault and its address", async () => {
    const { vaultAccountId } = access;
    await theirs.vaults.getVaultAccount({ vaultAccountId });
    const vault = last();
    await ours().check(access);
    expect(last()).toEqual({ ...vault, contentType: undefined });
    await theirs.vaults.getVaultAccountAssetAddressesPaginated({ vaultAccountId, assetId });
    const addresses = last();
    await ours().readAddress(access, chainId);
    expect(last()).toEqual({ ...addresses, contentType: undefined });
  });
  test("for letting go of it", async () => {
    const [one, other] = [anOrder("cancel-1"), anOrder("cancel-2")];
    const { data } = await theirs.transactions.createTransaction(toTheirs(one));
    await theirs.transactions.cancelTransaction({ txId: data.id ?? "" });
    const wanted = last();
    const { theirId } = await ours().openSender(access).send(other);
    await ours().openSender(access).cancel(theirId);
    const uri = `/v1/transactions/${theirId}/cancel`;
    const claims = { ...wanted.claims, uri };
    expect(last()).toEqual({ ...wanted, path: uri, claims, contentType: undefined });
  });
});
