import { readKey } from "openpgp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getAddress } from "viem/utils";
import { aPublicKey } from "../../test/pgp-keys.ts";
import { digestOfKeyUri, readKeyName } from "./service.ts";
import { anAddress, aTestDirectory, exceed, type TestDirectory } from "../../test/directory.ts";

let directory: TestDirectory;
let armoured: string;
let fingerprint: string;
const inbox = anAddress();
const otherFingerprint = "ab".repeat(32);

beforeAll(async () => {
  directory = await aTestDirectory();
  armoured = await aPublicKey();
  fingerprint = (await readKey({ armoredKey: armoured })).getFingerprint();
});
beforeEach(async () => {
  await directory.client.query("delete from verification_services");
  const keyUri = "ipfs://somewhere";
  await directory.services.mirror(11_155_111, [
    {
      id: 1,
      inbox: anAddress(),
      active: false,
      fingerprint: otherFingerprint,
      keyUri: "https://a.example/k",
    },
    { id: 2, inbox, active: true, fingerprint, keyUri },
    { id: 3, inbox: anAddress(), active: true, fingerprint: "cd".repeat(20), keyUri },
  ]);
  await directory.services.keepKey({ id: 2, fingerprint, keyUri }, armoured);
});
afterAll(() => directory.close());

const idsOf = async (url: string): Promise<readonly number[]> =>
  (await directory.get(url)).json<{ id: number }[]>().map(({ id }) => id);
const idOf = async (url: string): Promise<number> => (await directory.get(url)).json<{ id: number }>().id;
const statusOf = async (url: string): Promise<number> => (await directory.get(url)).statusCode;

describe("GET /verification-services", () => {
  test("200: all services, ordered by id", async () => {
    expect(await statusOf("/verification-services")).toBe(200);
    expect(await idsOf("/verification-services")).toEqual([1, 2, 3]);
  });
  test("200: an empty list", async () => {
    await directory.client.query("delete from verification_services");
    expect((await directory.get("/verification-services")).json()).toEqual([]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, "/verification-services")).toBe(429);
  });
});

describe("GET /verification-services/active", () => {
  test("200: only active services", async () => {
    expect(await idsOf("/verification-services/active")).toEqual([2, 3]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, "/verification-services/active")).toBe(429);
  });
});

describe("GET /verification-services/{id}", () => {
  test("200: everything a sender needs, without the source of the key", async () => {
    const answer = await directory.get("/verification-services/2");
    expect(answer.statusCode).toBe(200);
    const body = answer.json<{ createdAt: string }>();
    expect(body).toEqual({
      id: 2,
      name: "service 2",
      inbox: getAddress(inbox),
      pgpPublicKey: armoured,
      fingerprint,
      active: true,
      url: null,
      chainId: 11_155_111,
      createdAt: body.createdAt,
    });
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000);
  });
  test("200: without a key if it was not read", async () => {
    expect((await directory.get("/verification-services/1")).json()).toMatchObject({
      pgpPublicKey: null,
      active: false,
    });
  });
  test.each(["x", "-1", "1.0", "1e3", "0x1", "%201", "٣"])("400: %s is not a number", async (id) => {
    expect(await statusOf(`/verification-services/${encodeURI(id).replaceAll("%25", "%")}`)).toBe(400);
  });
  test.each(["0", "4", "9007199254740993", "9".repeat(400)])("404: unknown id %s", async (id) => {
    expect(await statusOf(`/verification-services/${id}`)).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, "/verification-services/2")).toBe(429);
  });
});

describe("GET /verification-services/inbox/{inbox}", () => {
  test("200: in any letter case", async () => {
    for (const text of [inbox, getAddress(inbox), `0x${inbox.slice(2).toUpperCase()}`])
      expect(await idOf(`/verification-services/inbox/${text}`)).toBe(2);
  });
  test.each(["0x12", "x", `0x${"g".repeat(40)}`])("400: %s is not an address", async (text) => {
    expect(await statusOf(`/verification-services/inbox/${text}`)).toBe(400);
  });
  test("404: unknown address", async () => {
    expect(await statusOf(`/verification-services/inbox/${anAddress()}`)).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/verification-services/inbox/${inbox}`)).toBe(429);
  });
});

describe("GET /verification-services/pgp-public-key/{key}", () => {
  const ask = (key: string) =>
    directory.get(`/verification-services/pgp-public-key/${encodeURIComponent(key)}`);

  test("200: by fingerprint, in any letter case, with or without 0x", async () => {
    for (const key of [fingerprint, fingerprint.toUpperCase(), `0x${fingerprint}`])
      expect((await ask(key)).json()).toMatchObject({ id: 2, fingerprint });
    expect((await ask(otherFingerprint)).json()).toMatchObject({ id: 1 });
  });
  test("200: by long key id, which a version 4 key has at its end and a version 6 key at its beginning", async () => {
    const keyId = (await readKey({ armoredKey: armoured })).getKeyID().toHex();
    expect((await ask(keyId)).json()).toMatchObject({ id: 2 });
    expect((await ask(otherFingerprint.slice(0, 16))).json()).toMatchObject({ id: 1 });
  });
  test("200: by the armoured key itself, also with other line endings", async () => {
    expect((await ask(armoured)).json()).toMatchObject({ id: 2 });
    expect((await ask(`\n${armoured.replaceAll(/\r?\n/g, "\r\n")}\n\n`)).json()).toMatchObject({ id: 2 });
  });
  test("200: of several with that key, an active one", async () => {
    await directory.client.query("update verification_services set fingerprint = $1 where id = 1", [
      fingerprint,
    ]);
    expect((await ask(fingerprint)).json()).toMatchObject({ id: 2 });
  });
  test("400: invalid text", async () => {
    expect(await statusOf("/verification-services/pgp-public-key/a%00b")).toBe(400);
  });
  test("404: an unknown key, and a malformed one", async () => {
    const other = await aPublicKey();
    const broken = `${armoured.slice(0, 200)}!${armoured.slice(201)}`;
    const longer = `${" ".repeat(8 * 1024)}${armoured}`;
    for (const key of [other, broken, longer, "ef".repeat(20), "ef".repeat(8), "ef", "key", "%", "../x"])
      expect((await ask(key)).statusCode, key.slice(0, 40)).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/verification-services/pgp-public-key/${fingerprint}`)).toBe(429);
  });
});

describe("findService", () => {
  test("is the requested one, active or not, or else the active one with the lowest id", async () => {
    const { services } = directory;
    expect(await services.findService(1)).toMatchObject({ id: 1, active: false, armoured: null });
    expect(await services.findService(undefined)).toMatchObject({ id: 2, inbox, armoured, fingerprint });
    expect(await services.findService(4)).toBeUndefined();
  });
  test("is undefined while no service is active", async () => {
    await directory.client.query("update verification_services set active = false");
    expect(await directory.services.findService(undefined)).toBeUndefined();
  });
});

describe("the address of a key", () => {
  const cid = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku";
  test("is followed only if it is a digest of the content", () => {
    expect(digestOfKeyUri(`ipfs://${cid}`)).toMatch(/^0x[0-9a-f]{64}$/);
    for (const uri of [
      `https://example.org/${cid}`,
      `http://127.0.0.1:3000/${cid}`,
      `ipfs://${cid}/key.asc`,
      `ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWHPmyD`,
      `ipfs://${cid}?x`,
      `IPFS://${cid}`,
      `ipns://${cid}`,
      "file:///etc/passwd",
      cid,
      "",
    ])
      expect(digestOfKeyUri(uri), uri).toBeUndefined();
  });
  test("key references are distinguished by their form", () => {
    expect(readKeyName("AB".repeat(20))).toEqual({ fingerprint: "ab".repeat(20) });
    expect(readKeyName("0xABCDEF0123456789")).toEqual({ keyId: "abcdef0123456789" });
    expect(readKeyName("-----BEGIN PGP PRIVATE KEY BLOCK-----")).toBeUndefined();
    expect(readKeyName("ab".repeat(10))).toBeUndefined();
  });
});
