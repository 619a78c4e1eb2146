import { describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to } from "../../test/build-witness.ts";
import { closeWitness } from "../../test/close-witness.ts";
import { ens, nameAccounts, type TestName } from "../../test/names.ts";
import { sceneOf } from "../engine/scene.ts";
import { MissingState } from "../engine/stop.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { readWitness, type Witness } from "../witness.ts";
import { listNameReads, resolveNames } from "./names.ts";
import { simulate } from "./simulate.ts";

const bob: Hex = `0x${"b0".repeat(20)}`;
const name = "bob.eth";
/** Of the block that is simulated. */
const now = 1_790_000_012n;

const witnessOf = (given: Partial<TestName> = {}, names: readonly string[] = [given.name ?? name]) =>
  closeWitness({
    accounts: {
      [from]: { balance: 10n ** 18n },
      [coinbase]: { balance: 1n },
      ...nameAccounts({ name, address: bob, ...given }),
    },
    call: { to, value: "0x1" },
    names,
    run: (scene, onMissing) => simulate(scene, { onMissing }),
  });
const resolved = async (witness: Witness) => (await simulate(sceneOf(verifyWitness(witness)))).names;

describe("a name", () => {
  test("resolves to the address that a public resolver holds", async () => {
    expect(await resolved(await witnessOf())).toEqual([{ name, address: bob, resolver: ens.resolver }]);
  });

  test("below another name depends on the expiry of that name", async () => {
    const sub = "pay.bob.eth";
    expect(await resolved(await witnessOf({ name: sub }))).toMatchObject([{ name: sub, address: bob }]);
    expect(await resolved(await witnessOf({ name: sub, expires: now }))).toMatchObject([{ address: null }]);
  });

  test("that is wrapped resolves while the wrapper has an owner for it", async () => {
    expect(await resolved(await witnessOf({ owner: ens.wrapper, wrapped: from }))).toMatchObject([
      { address: bob },
    ]);
    expect(await resolved(await witnessOf({ owner: ens.wrapper }))).toMatchObject([
      { address: null, why: "has expired" },
    ]);
  });

  test.each<[string, Partial<TestName>, string]>([
    ["has expired", { expires: now }, "is not registered, or its registration has expired"],
    ["was never registered", { expires: 0n }, "is not registered, or its registration has expired"],
    ["has no owner", { owner: null }, "has no owner"],
    ["has no resolver, as one that a wildcard answers", { resolver: null }, "has no resolver of its own"],
    ["has no address", { address: null }, "has no address"],
    [
      "has a resolver of its owner",
      { resolver: to },
      `has the resolver ${to}, which is not a public resolver of the name service`,
    ],
    [
      "has a resolver that answers off the chain",
      { resolver: to, contract: "OffchainResolver" },
      `has the resolver ${to}, which is not a public resolver of the name service`,
    ],
    ["has a public resolver without an answer", { contract: "OffchainResolver" }, "has no address"],
    ["is not under .eth", { name: "bob.xyz" }, "is not a name under .eth"],
    ["is a top level", { name: "eth" }, "is not a name under .eth"],
    ["has an empty label", { name: "bob..eth" }, "is not a name under .eth"],
  ])("that %s has no address", async (_, given, why) => {
    const asked = given.name ?? name;
    const accounts = given.name === undefined ? given : {};
    expect(await resolved(await witnessOf(accounts, [asked]))).toEqual([{ name: asked, address: null, why }]);
  });

  test("in another script is another name", async () => {
    const names = ["b\u043eb.eth", name];
    expect(await resolved(await witnessOf({}, names))).toMatchObject([{ address: null }, { address: bob }]);
  });

  test("is not resolved on another chain", async () => {
    const view = () => Promise.reject(new Error("nothing is read"));
    expect(await resolveNames({ view }, { chainId: 8_453n, names: [name], now })).toMatchObject([
      { address: null },
    ]);
    expect(listNameReads(8_453n, [name])).toEqual([]);
  });

  test("does not change what the call does", async () => {
    const witness = await witnessOf();
    const { names: _, ...without } = witness;
    const [one, other] = await Promise.all(
      [witness, without].map((given) => simulate(sceneOf(verifyWitness(given)))),
    );
    expect({ ...one, names: [] }).toEqual(other);
  });
});

describe("the state of a name", () => {
  test("is proven: an address that was changed in the witness is refused", async () => {
    const witness = await witnessOf();
    const { storage, ...account } = witness.accounts[ens.resolver] ?? { storage: {} };
    const forged = Object.fromEntries(Object.keys(storage).map((slot) => [slot, from]));
    const accounts = { ...witness.accounts, [ens.resolver]: { ...account, storage: forged } };
    expect(() => verifyWitness({ ...witness, accounts })).toThrow(`of ${ens.resolver} is not proven`);
  });

  test("is needed: a witness that leaves the resolver out gives no result", async () => {
    const witness = await witnessOf();
    const { [ens.resolver]: _, ...accounts } = witness.accounts;
    await expect(resolved({ ...witness, accounts })).rejects.toThrow(MissingState);
  });

  test.each<[string, unknown]>([
    ["five names", ["a.eth", "b.eth", "c.eth", "d.eth", "e.eth"]],
    ["a name twice", [name, name]],
    ["no names", []],
    ["a name of 256 characters", [`${"a".repeat(252)}.eth`]],
    ["a name that is not a text", [5]],
  ])("is not read with %s", async (_, names) => {
    const witness = await witnessOf();
    expect(readWitness(witness)).toBeDefined();
    expect(readWitness({ ...witness, names })).toBeUndefined();
  });
});
