import { toEventSelector } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to, type TestAccount } from "../../test/build-witness.ts";
import { closeWitness, slotOf } from "../../test/close-witness.ts";
import { compileContracts } from "../../test/compile.ts";
import { quantity, word } from "../hex.ts";
import { sceneOf } from "../engine/scene.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { readEffects, type EffectsOptions } from "./effects.ts";
import { readClaims } from "./events.ts";

let contracts: ReturnType<typeof compileContracts>;
beforeAll(() => {
  contracts = compileContracts();
});

const other: Hex = `0x${"77".repeat(20)}`;
type Given = {
  readonly contract: string;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly storage?: NonNullable<TestAccount["storage"]>;
  readonly options?: Partial<EffectsOptions>;
};
async function effectsOf({ contract, data = "0x", value = 0n, storage = {}, options = {} }: Given) {
  const settings = { holders: [from], ...options };
  const witness = await closeWitness({
    accounts: {
      [from]: { balance: 10n ** 18n },
      [coinbase]: { balance: 1n },
      [to]: { nonce: 1n, code: contracts.codeOf(contract), storage },
    },
    call: { data, value: quantity(value) },
    run: (scene, onMissing) => readEffects(scene, { ...settings, onMissing }),
  });
  return readEffects(sceneOf(verifyWitness(witness)), settings);
}
const thousand = () => ({ [slotOf(from, word(0n))]: 1_000n });

describe("an ERC-20 transfer", () => {
  const send = (contract: string, options: Partial<EffectsOptions> = {}) =>
    effectsOf({
      ...{ contract, storage: thousand(), options },
      data: contracts.encode("Token", "transfer", other, 100n),
    });
  const asset = { kind: "erc20", token: to };

  test("is measured and logged for the sender and the recipient", async () => {
    const { balances, outcome, approvals, control } = await send("Token", { holders: [from, other] });
    expect(outcome.succeeded).toBe(true);
    expect(balances).toEqual([
      { asset, holder: from, logged: -100n, measured: -100n, before: 1_000n, after: 900n },
      { asset, holder: other, logged: 100n, measured: 100n, before: 0n, after: 100n },
    ]);
    expect({ approvals, control }).toEqual({ approvals: [], control: [] });
  });

  test("that keeps a fee shows that less arrives than is logged", async () => {
    const { balances } = await send("FeeToken", { holders: [other] });
    expect(balances).toEqual([{ asset, holder: other, logged: 100n, measured: 90n, before: 0n, after: 90n }]);
  });

  test("that is only logged shows that nothing moves", async () => {
    const { balances } = await send("LyingToken");
    expect(balances).toEqual([
      { asset, holder: from, logged: -100n, measured: 0n, before: 1_000n, after: 1_000n },
    ]);
  });

  test.each([
    ["if the token is named", { assets: [{ kind: "erc20" as const, token: to }] }],
    ["because its storage changes", {}],
  ])("without a log is found %s", async (_, options) => {
    const { balances } = await send("SilentToken", options);
    expect(balances).toEqual([
      { asset, holder: from, logged: null, measured: -100n, before: 1_000n, after: 900n },
    ]);
  });

  test("without a log of others is found only if the token or the owner is named", async () => {
    expect((await send("SilentToken", { holders: [other] })).balances).toEqual([]);
    const { balances } = await send("SilentToken", { holders: [other], owners: [other] });
    expect(balances).toMatchObject([{ asset, holder: other, logged: null, measured: 100n }]);
  });

  test("to the called contract is measured if it is a recipient, and its storage does not count", async () => {
    const { balances, ownSlots } = await send("Token", { holders: [from], recipients: [other] });
    expect(balances.map(({ holder, measured }) => [holder, measured])).toEqual([
      [from, -100n],
      [other, 100n],
    ]);
    expect(ownSlots).toEqual([]);
  });

  test("of a token that does not answer has no measured amount and no balance", async () => {
    const { balances } = await send("MuteToken");
    const unknown = { measured: null, before: null, after: null };
    expect(balances).toEqual([{ asset, holder: from, logged: -100n, ...unknown }]);
  });

  test("of a token that stops answering has no balance after it", async () => {
    const { balances } = await send("FallingSilentToken");
    expect(balances).toEqual([
      { asset, holder: from, logged: -100n, measured: null, before: 1_000n, after: null },
    ]);
  });

  test("of a token whose balances grow is measured in one block, before and after", async () => {
    // The call is in the block after the proven one, 12 seconds later: 1,000 shares are 1,120 tokens.
    const { balances } = await send("RebasingToken");
    expect(balances).toEqual([
      { asset, holder: from, logged: -100n, measured: -100n, before: 1_120n, after: 1_020n },
    ]);
  });

  test("that fails has no effects", async () => {
    const data = contracts.encode("Token", "transfer", other, 1_001n);
    const { balances, outcome } = await effectsOf({ contract: "Token", data, storage: thousand() });
    expect(outcome).toMatchObject({ succeeded: false, reason: "too little" });
    expect(balances).toEqual([]);
  });
});

describe("other assets", () => {
  test("the native token is measured without fees", async () => {
    const { balances } = await effectsOf({ contract: "Wrapped", value: 9n });
    expect(balances).toEqual([
      {
        ...{ asset: { kind: "native" }, holder: from, logged: null, measured: -9n },
        ...{ before: 10n ** 18n, after: 10n ** 18n - 9n },
      },
      { asset: { kind: "erc20", token: to }, holder: from, logged: 9n, measured: 9n, before: 0n, after: 9n },
    ]);
  });

  test("an ERC-721 item is minted, and sent", async () => {
    const asset = { kind: "erc721", token: to, id: 5n };
    const minted = await effectsOf({ contract: "Items", data: contracts.encode("Items", "mint", 5n) });
    expect(minted.balances).toEqual([
      { asset, holder: from, logged: 1n, measured: 1n, before: 0n, after: 1n },
    ]);
    const sent = await effectsOf({
      ...{ contract: "Items", data: contracts.encode("Items", "send", other, 5n) },
      storage: { [slotOf(5n, word(0n))]: BigInt(from) },
    });
    expect(sent.balances).toEqual([
      { asset, holder: from, logged: -1n, measured: -1n, before: 1n, after: 0n },
    ]);
  });

  test("an ERC-721 item that did not exist has no balance before", async () => {
    const data = contracts.encode("CountedItems", "mint", 5n);
    const { balances } = await effectsOf({ contract: "CountedItems", data });
    const asset = { kind: "erc721", token: to, id: 5n };
    expect(balances).toEqual([{ asset, holder: from, logged: 1n, measured: 1n, before: null, after: 1n }]);
  });

  test("ERC-1155 items are minted, one or several", async () => {
    const asset = (id: bigint) => ({ kind: "erc1155", token: to, id });
    const one = await effectsOf({ contract: "Many", data: contracts.encode("Many", "mint", 5n, 3n) });
    expect(one.balances).toEqual([
      { asset: asset(5n), holder: from, logged: 3n, measured: 3n, before: 0n, after: 3n },
    ]);
    const two = await effectsOf({ contract: "Many", data: contracts.encode("Many", "mintTwo", 3n) });
    expect(two.balances).toEqual([
      { asset: asset(1n), holder: from, logged: 3n, measured: 3n, before: 0n, after: 3n },
      { asset: asset(2n), holder: from, logged: 6n, measured: 6n, before: 0n, after: 6n },
    ]);
  });
});

describe("approvals", () => {
  const ends = () => ({ keeper: to, token: to, owner: from, spender: other });

  test("of an amount show what was allowed before and after", async () => {
    const { approvals } = await effectsOf({
      ...{ contract: "Token", data: contracts.encode("Token", "approve", other, 50n) },
      storage: { [slotOf(other, slotOf(from, word(1n)))]: 7n },
    });
    expect(approvals).toEqual([{ kind: "amount", ...ends(), id: null, logged: 50n, before: 7n, after: 50n }]);
  });

  test("that are spent in the same transaction are 0 afterwards", async () => {
    const data = contracts.encode("Token", "approveAndSpend", other, 50n);
    const { approvals } = await effectsOf({ contract: "Token", data, storage: thousand() });
    expect(approvals).toMatchObject([{ logged: 50n, before: 0n, after: 0n }]);
  });

  test("of one item, a collection, and through Permit2", async () => {
    const item = await effectsOf({
      contract: "Items",
      data: contracts.encode("Items", "approve", other, 5n),
    });
    expect(item.approvals).toEqual([{ kind: "item", ...ends(), id: 5n, logged: 1n, before: 0n, after: 1n }]);
    const data = contracts.encode("Items", "setApprovalForAll", other, true);
    const all = await effectsOf({ contract: "Items", data });
    expect(all.approvals).toEqual([{ kind: "all", ...ends(), id: null, logged: 1n, before: 0n, after: 1n }]);
    const token: Hex = `0x${"70".repeat(20)}`;
    const permit = await effectsOf({
      ...{ contract: "Permit2", data: contracts.encode("Permit2", "approve", token, other, 50n, 99) },
    });
    expect(permit.approvals).toEqual([
      { kind: "permit2", ...ends(), token, id: null, logged: 50n, before: 0n, after: 50n },
    ]);
  });

  test("of others are left out", async () => {
    const data = contracts.encode("Token", "approve", other, 50n);
    const { approvals } = await effectsOf({ contract: "Token", data, options: { holders: [other] } });
    expect(approvals).toEqual([]);
  });
});

describe("control", () => {
  test("an owner's change is reported, and so is the account's own storage", async () => {
    const data = contracts.encode("Owned", "give", other);
    const { control, ownSlots } = await effectsOf({ contract: "Owned", data, options: { holders: [to] } });
    expect(control).toEqual([{ kind: "owner", address: to, to: other, by: "event" }]);
    expect(ownSlots).toEqual([{ address: to, slot: word(0n), before: 0n, after: BigInt(other) }]);
  });

  test("an upgrade is reported also without its event", async () => {
    const stored = { kind: "implementation", address: to, to: other, by: "storage" };
    const upgrade = async (isLogged: boolean) =>
      (await effectsOf({ contract: "Owned", data: contracts.encode("Owned", "upgrade", other, isLogged) }))
        .control;
    expect(await upgrade(false)).toEqual([stored]);
    expect(await upgrade(true)).toEqual([{ ...stored, by: "event" }, stored]);
  });
});

describe("events", () => {
  const transfer = toEventSelector("Transfer(address,address,uint256)");
  const batch = toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])");

  test.each<[string, readonly Hex[], Hex]>([
    ["too few topics", [transfer, word(1n)], word(5n)],
    ["too little data", [transfer, word(1n), word(2n)], "0x"],
    ["too much data", [transfer, word(1n), word(2n)], `${word(1n)}${word(2n).slice(2)}`],
    ["data and an id", [transfer, word(1n), word(2n), word(3n)], word(5n)],
    ["lists that cannot be decoded", [batch, word(1n), word(2n), word(3n)], word(2n ** 255n)],
  ])("with %s are listed as unreadable", (_, topics, data) => {
    const log = { address: to, topics, data };
    expect(readClaims([log])).toEqual({ movements: [], approvals: [], control: [], unreadable: [log] });
  });

  test("with another name or none are ignored", () => {
    const none = { movements: [], approvals: [], control: [], unreadable: [] };
    expect(readClaims([{ address: to, topics: [word(9n)], data: "0x" }])).toEqual(none);
    expect(readClaims([{ address: to, topics: [], data: "0x12" }])).toEqual(none);
  });
});
