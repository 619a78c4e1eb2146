// Whether a transaction may be sent from a wallet at the provider, and through which sender.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import {
  startWalletProviderStandIn,
  type WalletProviderStandIn,
} from "../../../../tools/stand-ins/wallet-provider/stand-in.ts";
import type { Account } from "../accounts/index.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { makeQuorums } from "../composition/quorums.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aPem, app, settingsFor } from "../../test/quorums.ts";

let standIn: WalletProviderStandIn;
let api: TestApiWithKeys;
let database: Database;
let offered: ReturnType<typeof makeQuorums>["offered"];
const log = makeLog({ app: "test", level: "silent" });
const refuse = () => Promise.resolve("invalid" as const);
const wallets = { verifyText: refuse, verifyTypedData: refuse };
beforeAll(async () => {
  standIn = await startWalletProviderStandIn(app);
  api = await aTestApiWithKeys(settingsFor(standIn.url));
  database = connectDatabase({ url: api.databaseUrl, poolSize: 2, log });
  ({ offered } = makeQuorums({ config: api.config, db: database.db, log, secrets: api.secrets, wallets }));
});
beforeEach(() => {
  standIn.behave("good");
});
afterAll(async () => {
  await database.close();
  await api.close();
  await standIn.close();
});

const accountOf = ({ user }: SignedIn): Account => user.ethereumAddress.toLowerCase() as Account;
const lower = (address: Hex): Account => address.toLowerCase() as Account;

const useAgent = async (who: SignedIn, type = "agent"): Promise<string> => {
  const payload = { type, navaAgent: true };
  const request = { method: "POST", url: "/settings/register-provider-quorum", payload };
  return (await api.http.send({ ...request, headers: bearer(who) })).json<{ quorumId: string }>().quorumId;
};

/** With a server key, so that no signature is needed. */
async function register(who: SignedIn, ethereumAddress: string, providerUserId: string): Promise<string> {
  const account = who.user.ethereumAddress;
  const payload = { displayName: "a", ethereumAddress, providerUserId, account };
  const headers = { "x-api-key": await api.issueServerKey("admin") };
  return (await api.http.send({ method: "POST", url: "/provider-quorum", payload, headers })).json<{
    id: string;
  }>().id;
}

async function aKeptWallet(who: SignedIn): Promise<{ id: string; address: Account }> {
  const { walletId, address } = await standIn.makeWallet(await useAgent(who));
  return { id: await register(who, address, walletId), address: lower(address) };
}

const order = (word: string) =>
  ({
    requestHash: `0x${word.repeat(32)}`,
    chainId: 1,
    to: `0x${"11".repeat(20)}`,
    value: 5n,
    data: "0x",
  }) as const;

describe("a wallet to send from", () => {
  test("belongs to the account at the provider, where our own key is the quorum of that type", async () => {
    const who = await signIn(api);
    const { id, address } = await aKeptWallet(who);
    const place = { account: accountOf(who), wallet: address };
    expect(await offered.findWalletToSendFrom({ ...place, type: "agent" })).toEqual({ id });
    expect(await offered.findWalletToSendFrom({ ...place, type: "execution" })).toBeUndefined();
  });

  test("is not another account's, not unregistered, and not automatically the account's own address", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const { address } = await aKeptWallet(who);
    await useAgent(other);
    const find = (account: Account, wallet: Account) =>
      offered.findWalletToSendFrom({ account, wallet, type: "agent" });
    expect(await find(accountOf(other), address)).toBeUndefined();
    expect(await find(accountOf(who), `0x${"22".repeat(20)}`)).toBeUndefined();
    expect(await find(accountOf(who), accountOf(who))).toBeUndefined();
  });

  test("is lost when the owner deletes the quorum", async () => {
    const who = await signIn(api);
    const { address } = await aKeptWallet(who);
    const find = () =>
      offered.findWalletToSendFrom({ account: accountOf(who), wallet: address, type: "agent" });
    expect(await find()).toBeDefined();
    const payload = { displayName: "Mine", p256PublicKeys: [aPem()], threshold: 1 };
    const request = { method: "PUT", url: "/settings/provider-quorum/agent", payload };
    await api.http.send({ ...request, headers: bearer(who) });
    expect(await find()).toBeUndefined();
    await useAgent(who);
    expect(await find()).toBeDefined();
    await api.http.send({
      ...{ method: "DELETE", url: "/settings/provider-quorum/agent" },
      headers: bearer(who),
    });
    expect(await find()).toBeUndefined();
  });

  test("does not exist without a provider", async () => {
    const who = await signIn(api);
    const { id, address } = await aKeptWallet(who);
    const config = { ...api.config, WALLET_PROVIDER_APP_SECRET: undefined };
    const without = makeQuorums({ config, db: database.db, log, secrets: api.secrets, wallets }).offered;
    const place = { account: accountOf(who), wallet: address, type: "agent" } as const;
    expect(await without.findWalletToSendFrom(place)).toBeUndefined();
    expect(await without.openSender(id, "send")).toBeUndefined();
  });
});

describe("a sender", () => {
  test("sends from that wallet with the service's own key", async () => {
    const { id } = await aKeptWallet(await signIn(api));
    const sender = await offered.openSender(id, "send");
    const { theirId } = (await sender?.send(order("a1"))) ?? {};
    expect(await sender?.find(order("a1").requestHash)).toMatchObject({ theirId });
    expect(standIn.accepted().at(-1)).toMatchObject({ value: 5n, referenceId: "a1".repeat(32) });
  });

  test("is refused for another account's wallet at the provider, though our key controls it", async () => {
    const [victim, thief] = [await signIn(api), await signIn(api)];
    const { walletId } = await standIn.makeWallet(await useAgent(victim));
    await useAgent(thief);
    // The thief's own address under the victim's wallet id.
    const id = await register(thief, thief.user.ethereumAddress, walletId);
    expect(await offered.openSender(id, "send")).toBeUndefined();
  });

  test("is refused for a wallet that the provider or this service does not know", async () => {
    const who = await signIn(api);
    expect(
      await offered.openSender(await register(who, who.user.ethereumAddress, "unknown"), "ask"),
    ).toBeUndefined();
    expect(await offered.openSender("0190b4a8-0000-7000-8000-000000000001", "ask")).toBeUndefined();
  });

  test("may be used for status queries but not for sending once the owner deleted the quorum", async () => {
    const who = await signIn(api);
    const { id } = await aKeptWallet(who);
    const url = "/settings/provider-quorum/agent";
    expect((await api.http.send({ method: "DELETE", url, headers: bearer(who) })).statusCode).toBe(200);
    expect(await offered.openSender(id, "send")).toBeUndefined();
    expect(await offered.openSender(id, "ask")).toBeDefined();
  });

  test("is not reported as missing while the provider is unavailable", async () => {
    const { id } = await aKeptWallet(await signIn(api));
    standIn.behave("down");
    await expect(offered.openSender(id, "send")).rejects.toThrow("did not answer");
  });
});
