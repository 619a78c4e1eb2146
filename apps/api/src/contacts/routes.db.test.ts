import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aToken } from "../../test/mcp/over-http.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { signIn } from "../../test/sign-in.ts";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";

let made: DecideApi;
beforeAll(async () => {
  made = await aDecideApi();
});
afterAll(() => made.close());

type Headers = Record<string, string>;
type Shown = { readonly address: string; readonly name: string; readonly note: string | null };

const anAddress = (): string => `0x${randomBytes(20).toString("hex")}`;
const list = (headers: Headers) => made.api.http.send({ url: "/contacts", headers });
const put = (address: string, payload: object, headers: Headers) =>
  made.api.http.send({ method: "PUT", url: `/contacts/${address}`, payload, headers });
const remove = (address: string, headers: Headers) =>
  made.api.http.send({ method: "DELETE", url: `/contacts/${address}`, headers });
const names = async ({ jwt }: Person): Promise<readonly string[]> =>
  (await list(jwt)).json<readonly Shown[]>().map(({ name }) => name);

/** Everyone who is not the owner in person. */
const programsOf = async (owner: Person): Promise<readonly Headers[]> => [
  {},
  owner.agent.headers,
  (await owner.key("user")).headers,
  (await aServerKey(made, "admin")).headers,
  (await aServerKey(made, "orion")).headers,
  await aToken(made.api, await signIn(made.api, owner.wallet)),
];

describe("GET /contacts", () => {
  test("200: by name, whatever its case, and nothing of another account", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    for (const name of ["bob", "Carol", "Alice"]) await put(anAddress(), { name }, owner.jwt);
    expect(await names(owner)).toEqual(["Alice", "bob", "Carol"]);
    expect(await names(other)).toEqual([]);
  });
  test("200: with a signed request", async () => {
    const owner = await aPerson(made);
    expect((await list(await owner.sign("GET", "/contacts"))).statusCode).toBe(200);
  });
  test("401: without a credential, and for every program of the owner and of the service", async () => {
    for (const headers of await programsOf(await aPerson(made)))
      expect((await list(headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(made.api, { method: "GET", url: "/contacts" })).toBe(429);
  });
});

describe("PUT /contacts/{address}", () => {
  test("200: adds, then replaces name and note of the same address in any case", async () => {
    const owner = await aPerson(made);
    const address = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
    const added = (
      await put(address.toLowerCase(), { name: " Alice  Moreau ", note: "Design" }, owner.jwt)
    ).json<Shown>();
    expect(added).toMatchObject({ address, name: "Alice Moreau", note: "Design" });
    const renamed = (
      await put(`0x${address.slice(2).toUpperCase()}`, { name: "alice moreau" }, owner.jwt)
    ).json<Shown>();
    expect(renamed).toMatchObject({ address, name: "alice moreau", note: null });
    expect(await names(owner)).toEqual(["alice moreau"]);
  });
  test("200: with the wallet's signature", async () => {
    const owner = await aPerson(made);
    const [url, payload] = [`/contacts/${anAddress()}`, JSON.stringify({ name: "Alice" })];
    const headers = { ...(await owner.sign("PUT", url, payload)), "content-type": "application/json" };
    expect((await made.api.http.send({ method: "PUT", url, payload, headers })).statusCode).toBe(200);
  });
  test("200: two accounts may use the same name and address", async () => {
    const [owner, other, address] = [await aPerson(made), await aPerson(made), anAddress()];
    for (const who of [owner, other])
      expect((await put(address, { name: "Alice" }, who.jwt)).statusCode).toBe(200);
    await put(address, { name: "Bob" }, other.jwt);
    expect([await names(owner), await names(other)]).toEqual([["Alice"], ["Bob"]]);
  });
  test("400: for a malformed address, and names and notes that hide something", async () => {
    const { jwt } = await aPerson(made);
    expect((await put("0x12", { name: "Alice" }, jwt)).statusCode).toBe(400);
    for (const body of [
      ...[{}, { name: "" }, { name: "Ali\u202Ece" }, { name: "Ali\u200Bce" }, { name: "a".repeat(61) }],
      ...[{ name: anAddress() }, { name: "Alice", note: "a\u2066b" }, { name: "Alice", note: 7 }],
    ])
      expect((await put(anAddress(), body, jwt)).statusCode, JSON.stringify(body)).toBe(400);
  });
  test("401: without a credential, and for every program of the owner and of the service", async () => {
    const owner = await aPerson(made);
    for (const headers of await programsOf(owner))
      expect((await put(anAddress(), { name: "Alice" }, headers)).statusCode).toBe(401);
    expect(await names(owner)).toEqual([]);
  });
  test("409: another contact has the name in another case or Unicode form", async () => {
    const { jwt } = await aPerson(made);
    await put(anAddress(), { name: "Straße" }, jwt);
    for (const name of ["straße", "STRASSE", "Ｓｔｒａße"]) {
      const answer = await put(anAddress(), { name }, jwt);
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([409, "contacts.name-taken"]);
    }
  });
  test("409: the address book is full, also for concurrent requests, and contacts in it can be renamed", async () => {
    const owner = await aPerson(made);
    await made.client.query(
      `insert into contacts (account, address, name, name_key)
       select $1, '0x' || lpad(to_hex(n), 40, '0'), 'c' || n, 'c' || n from generate_series(1, 998) n`,
      [owner.account],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(anAddress(), { name: `new ${index}` }, owner.jwt)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.headers["x-error-code"]).toBe("contacts.too-many");
    expect(refused?.json()).toMatchObject({
      message: "The address book has 1,000 contacts. Delete one first.",
    });
    const first = `0x${"1".padStart(40, "0")}`;
    expect((await put(first, { name: "renamed" }, owner.jwt)).statusCode).toBe(200);
    await remove(first, owner.jwt);
    expect((await put(anAddress(), { name: "one more" }, owner.jwt)).statusCode).toBe(200);
  });
  test("409: of concurrent requests for one name only one succeeds", async () => {
    const owner = await aPerson(made);
    const answers = await Promise.all(
      ["Alice", "ALICE", "alice"].map((name) => put(anAddress(), { name }, owner.jwt)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(made.api, { method: "PUT", url: `/contacts/${anAddress()}` })).toBe(429);
  });
});

describe("DELETE /contacts/{address}", () => {
  test("200: deletes this account's contact only, and its name is free again", async () => {
    const [owner, other, address] = [await aPerson(made), await aPerson(made), anAddress()];
    for (const who of [owner, other]) await put(address, { name: "Alice" }, who.jwt);
    expect((await remove(address, owner.jwt)).json()).toMatchObject({ deleted: true });
    expect([await names(owner), await names(other)]).toEqual([[], ["Alice"]]);
    expect((await put(anAddress(), { name: "Alice" }, owner.jwt)).statusCode).toBe(200);
  });
  test("400: for a malformed address", async () => {
    expect((await remove(randomUUID(), (await aPerson(made)).jwt)).statusCode).toBe(400);
  });
  test("401: without a credential, and for every program of the owner and of the service", async () => {
    const [owner, address] = [await aPerson(made), anAddress()];
    await put(address, { name: "Alice" }, owner.jwt);
    for (const headers of await programsOf(owner))
      expect((await remove(address, headers)).statusCode).toBe(401);
    expect(await names(owner)).toEqual(["Alice"]);
  });
  test("404: an address without a contact, and another account's", async () => {
    const [owner, other, address] = [await aPerson(made), await aPerson(made), anAddress()];
    await put(address, { name: "Alice" }, other.jwt);
    const answer = await remove(address, owner.jwt);
    expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([404, "contacts.not-found"]);
    expect(await names(other)).toEqual(["Alice"]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(made.api, { method: "DELETE", url: `/contacts/${anAddress()}` })).toBe(429);
  });
});
