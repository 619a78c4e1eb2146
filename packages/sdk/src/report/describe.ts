// Describes effects as sentences. Amounts are formatted as in the report.
import type { Asset, Authority, ControlChange, Effect, Flow, NetEffect } from "./types.ts";

const partyName = (party: string | null): string =>
  party === "self" ? "your wallet" : party === "venue" ? "the called contract" : (party ?? "no one");

function assetName({ kind, symbol, address, id, why }: Asset): string {
  const name = symbol ?? (kind === "native" ? "coin" : (address ?? why ?? "something"));
  return kind === "nft" ? `${name} #${id ?? "any"}` : name;
}

function given(flow: Flow): string {
  const most = flow.most ?? "?";
  const isExact = most === "unlimited" || most === "everything" || flow.least === flow.most;
  return `${isExact ? "" : "at most "}${most} ${assetName(flow)}`;
}

const got = (flow: Flow): string =>
  `${flow.least === flow.most ? "" : "at least "}${flow.least ?? "?"} ${assetName(flow)}`;

function authority({ spender, asset, most, until, signed }: Authority): string {
  const what =
    asset === null
      ? `${partyName(spender)} may act as your wallet`
      : `${partyName(spender)} may take ${most ?? "any"} ${assetName(asset)}`;
  const how = signed ? ", by a signature" : "";
  return `${what}${how}${until === null ? "" : `, until ${until} (Unix seconds)`}`;
}

const control = ({ kind, party }: ControlChange): string =>
  `changes who is in control (${kind}), in favour of ${partyName(party)}`;

/** Returns one sentence for an effect. */
export function describeEffect(effect: Omit<Effect, "sentence">): string {
  if (effect.act === "opaque") return `calls ${partyName(effect.target)}, and what that does cannot be read`;
  if (effect.control !== null) return control(effect.control);
  const note = effect.knowledge === "selector" ? " (a contract that is not known)" : "";
  const allowed = effect.authority === null ? "" : `: ${authority(effect.authority)}`;
  return `${movement(effect)}${note}${allowed}`;
}

/** `swap 0.05 ETH for at least 100 USDC to your wallet on uniswap_v3` */
function movement({ act, payer, receiver, venue, toChain, gives, gets }: Omit<Effect, "sentence">): string {
  const out = gives.map(given).join(" and ");
  const back = gets.map(got).join(" and ");
  return [
    (act ?? "does something").replaceAll("_", " "),
    out,
    payer !== null && payer !== "self" ? `from ${partyName(payer)}` : "",
    out !== "" && back !== "" ? `for ${back}` : back,
    receiver === null ? "" : `to ${partyName(receiver)}`,
    venue === null ? "" : `on ${partyName(venue)}`,
    toChain === null ? "" : `towards chain ${toChain}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Returns a label and a text for each part of the net effect, in the worst case. */
export function describeNet(net: NetEffect): readonly (readonly [label: string, text: string])[] {
  return [
    ...net.leaves.map((flow) => ["leaves", given(onlyMost(flow))] as const),
    ...net.arrives.map((flow) => ["arrives", got(flow)] as const),
    ...net.others.map((flow) => ["goes", `${given(onlyMost(flow))} to ${partyName(flow.party)}`] as const),
    ...net.authority.map((held) => ["remains", authority(held)] as const),
    ...net.control.map((changed) => ["control", control(changed)] as const),
  ];
}

/** The net effect contains only the worst case. */
const onlyMost = (flow: Flow): Flow => ({ ...flow, least: flow.most });
