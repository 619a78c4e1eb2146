/** Describes an effect in one sentence for the owner. */
import type { Effect } from "../effects.ts";
import { showFlow, showParty } from "./show.ts";
import type { World } from "./world.ts";

export function describeEffect(effect: Effect, world: Pick<World, "proposal" | "registry">): string {
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  if (effect.act === "opaque")
    return `calls ${effect.target ?? "new code"}${effect.function === "" ? "" : ` with ${effect.function}`}, which we cannot read`;
  if (effect.admin !== null) return describeAdmin(effect.admin);
  const signed = effect.choices.find(({ what }) => what === "site" || what === "message");
  if (signed !== undefined)
    return signed.what === "site" ? `signs in to ${signed.value}` : "signs a text that moves nothing";
  if (effect.authority !== null) {
    const { asset, amount, spender } = effect.authority;
    return `lets ${showParty(spender)} take ${asset === null ? "everything in your wallet" : showFlow(asset, amount, place)}`;
  }
  const flows = (before: string, list: Effect["gives"]): string =>
    list.length === 0
      ? ""
      : `${before} ${list.map(({ asset, amount }) => showFlow(asset, amount, place)).join(" and ")}`;
  const receiver = effect.receiver === null ? "" : `, to ${showParty(effect.receiver)}`;
  const chain = effect.toChain === null ? "" : ` on chain ${String(effect.toChain)}`;
  return `${effect.act.replaceAll("_", " ")}${flows("", effect.gives)}${flows(" for", effect.gets)}${receiver}${chain}`;
}

const describeAdmin = ({ kind, party }: NonNullable<Effect["admin"]>): string =>
  `changes control: ${kind.replaceAll("_", " ")}${party === null ? "" : ` to ${showParty(party)}`}`;
