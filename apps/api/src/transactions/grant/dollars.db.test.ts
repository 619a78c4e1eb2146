// Limits in dollars: counted with the price of the moment, and asked about without one.
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aMandate, anEffect, asset, audit, find, reportOf, type Granted } from "../../../test/mandates.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
});
afterAll(() => api.close());
beforeEach(() => api.client.query("delete from prices"));

/** So many cents for a whole token. */
const setPrice = (cents: number, { age = "0 seconds" } = {}) =>
  api.client.query(
    `insert into prices (asset, usd, source, as_of, fresh_seconds)
     values ($1, $2, 'eip155:1:0x5f', now() - $3::interval, 3600)
     on conflict (asset) do update set usd = excluded.usd, as_of = excluded.as_of, read_at = clock_timestamp()`,
    [asset, String(BigInt(cents) * 10n ** 16n), age],
  );

const day = 24 * 60 * 60;
/** At most 12 dollars a day, and far more tokens than that. */
const twelveDollars = {
  limits: [
    { measure: asset, span: "period", seconds: day, most: "1000000", decimals: 6 },
    { measure: "usd", span: "period", seconds: day, most: "12", decimals: 2 },
  ],
};

let count = 0;
/** Pays 5 tokens. */
async function pay(owner: Person): Promise<Transaction> {
  const transaction = await aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{
      description: `Pay the shop, number ${++count}.`,
      tx: { to: owner.account, value: 0n, data: "0x01" },
    },
  });
  const { report, reportHash } = reportOf([anEffect()]);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const answer = await post(api, transaction, orion.headers, { decision: "APPROVED", attestation, report });
  expect(answer.statusCode).toBe(201);
  return find(api.store, transaction);
}

const dollarsOf = async (owner: Person, { id }: Granted) =>
  (await api.api.http.send({ url: `/mandates/${id}`, headers: owner.jwt })).json<Granted>().limits[1];

test("are counted with the price of each decision", async () => {
  const owner = await aPerson(api);
  const mandate = await aMandate(api.api, owner, twelveDollars);
  await setPrice(100);
  expect((await pay(owner)).phase).toBe("READY");
  expect(await dollarsOf(owner, mandate)).toMatchObject({ reserved: "5", left: "7" });
  await setPrice(141);
  expect(await pay(owner)).toMatchObject({
    phase: "AWAITING",
    needsOwner: { code: "OUTSIDE_MANDATE", message: expect.stringContaining("7 of 12 left") as string },
  });
  await setPrice(140);
  expect((await pay(owner)).phase).toBe("READY");
  expect(await dollarsOf(owner, mandate)).toMatchObject({ reserved: "12", left: "0" });
  expect(await audit(api.client)).toEqual([]);
});

test.each([
  ["there is no price", async () => undefined],
  ["the price is too old", () => setPrice(1, { age: "3601 seconds" })],
])("ask the owner if %s", async (_, prepare) => {
  const owner = await aPerson(api);
  await aMandate(api.api, owner, twelveDollars);
  await prepare();
  expect(await pay(owner)).toMatchObject({
    phase: "AWAITING",
    needsOwner: {
      code: "OUTSIDE_MANDATE",
      message: `The mandate has a limit in dollars, and no current price of ${asset} is known`,
    },
  });
});

test("count a fraction of a cent as a cent", async () => {
  const owner = await aPerson(api);
  const mandate = await aMandate(api.api, owner, twelveDollars);
  await api.client.query(
    "insert into prices (asset, usd, source, as_of, fresh_seconds) values ($1, 1, 'eip155:1:0x5f', now(), 3600)",
    [asset],
  );
  expect((await pay(owner)).phase).toBe("READY");
  expect(await dollarsOf(owner, mandate)).toMatchObject({ reserved: "0.01" });
});
