import { encodeAbiParameters, keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { sceneOf } from "../src/engine/scene.ts";
import type { Scene } from "../src/engine/scene-type.ts";
import type { OnMissing, Source } from "../src/engine/witness-state.ts";
import { noCode } from "../src/hex.ts";
import { verifyWitness } from "../src/proof/verify-witness.ts";
import type { Call, FollowingCall, Hardfork, Witness } from "../src/witness.ts";
import { buildWitness, type TestAccount } from "./build-witness.ts";

/** The slot of a mapping's entry. */
export const slotOf = (key: Hex | bigint, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [BigInt(key), BigInt(slot)]));

type Given = {
  readonly accounts: Readonly<Record<Hex, TestAccount>>;
  readonly call?: Partial<Call>;
  readonly following?: readonly FollowingCall[] | undefined;
  readonly signer?: Hex | undefined;
  readonly hardfork?: Hardfork;
  readonly names?: readonly string[] | undefined;
  /** Everything that will be run on the witness. */
  readonly run: (scene: Scene, onMissing: OnMissing) => Promise<unknown>;
};

/** The proven witness of everything that `run` reads. Accounts and slots that are not given are proven to be empty. */
export async function closeWitness({
  accounts,
  call = {},
  following,
  signer,
  hardfork = "osaka",
  names,
  run,
}: Given): Promise<Witness> {
  const absent = new Set<Hex>();
  const emptySlots: Record<Hex, Hex[]> = {};
  const build = () =>
    buildWitness({ accounts, call, following, signer, hardfork, absent: [...absent], emptySlots, names });
  const first = await build();
  const { source, ...scene } = sceneOf(verifyWitness(first));
  const slots = new Map<string, Hex>();
  const onMissing: OnMissing = async ({ address, slot }) => {
    if (slot === null) absent.add(address);
    else {
      (emptySlots[address] ??= []).push(slot);
      slots.set(`${address} ${slot}`, "0x0");
    }
  };
  const empty = { balance: "0x0", nonce: "0x0", codeHash: noCode } as const;
  const open: Source = {
    findAccount: (address) => source.findAccount(address) ?? (absent.has(address) ? empty : undefined),
    findSlot: (address, slot) =>
      source.findSlot(address, slot) ?? (absent.has(address) ? "0x0" : slots.get(`${address} ${slot}`)),
    findCode: source.findCode,
  };
  await run({ ...scene, source: open }, onMissing);
  return build();
}
