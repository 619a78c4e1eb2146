// What the bytes do, as sentences. Amounts stand as the report has them.
import { listOf, membersOf, textOf, type Members } from "./read-report.ts";

const isThere = (value: unknown): boolean => value !== null && value !== undefined;

const party = (value: unknown): string => {
  const said = textOf(value);
  return said === "self" ? "this account" : said === "venue" ? "the called contract" : (said ?? "nobody");
};

function assetOf({ kind, symbol, address, id, why }: Members): string {
  const name =
    textOf(symbol) ?? (kind === "native" ? "coin" : (textOf(address) ?? textOf(why) ?? "something"));
  return kind === "nft" ? `${name} #${textOf(id) ?? "any"}` : name;
}

function gives(value: unknown): string {
  const flow = membersOf(value);
  const most = textOf(flow["most"]) ?? "?";
  const isExact = most === "unlimited" || most === "everything" || flow["least"] === flow["most"];
  return `${isExact ? "" : "at most "}${most} ${assetOf(flow)}`;
}

function gets(value: unknown): string {
  const flow = membersOf(value);
  const least = textOf(flow["least"]) ?? "?";
  return `${flow["least"] === flow["most"] ? "" : "at least "}${least} ${assetOf(flow)}`;
}

function authority(value: unknown): string {
  const { spender, asset, most, until, signed } = membersOf(value);
  const what = !isThere(asset)
    ? `${party(spender)} may act as this account`
    : `${party(spender)} may take ${textOf(most) ?? "any"} ${assetOf(membersOf(asset))}`;
  const how = signed === true ? ", by a signature" : "";
  return `${what}${how}${isThere(until) ? `, until ${deadline(until)}` : ""}`;
}

/** Unix seconds, as the report has them. */
const deadline = (until: unknown): string => `${textOf(until) ?? "?"} (Unix seconds)`;

function admin(value: unknown): string {
  const { kind, party: gains } = membersOf(value);
  return `changes who is in control (${textOf(kind) ?? "?"}), in favour of ${party(gains)}`;
}

/** One sentence for one effect. */
export function describeEffect(value: unknown): string {
  const effect = membersOf(value);
  if (effect["act"] === "opaque")
    return `calls ${party(effect["target"])}, and what that does cannot be read`;
  if (isThere(effect["admin"])) return admin(effect["admin"]);
  const note = effect["knowledge"] === "selector" ? " (a contract that is not known)" : "";
  const allowed = isThere(effect["authority"]) ? `: ${authority(effect["authority"])}` : "";
  return `${movement(effect)}${note}${allowed}`;
}

/** `swap 0.05 ETH for at least 100 USDC to this account on uniswap_v3` */
function movement({ act, receiver, payer, venue, to_chain: toChain, ...effect }: Members): string {
  const given = listOf(effect["gives"]).map(gives).join(" and ");
  const got = listOf(effect["gets"]).map(gets).join(" and ");
  return [
    (textOf(act) ?? "does something").replaceAll("_", " "),
    given,
    isThere(payer) && payer !== "self" ? `from ${party(payer)}` : "",
    given !== "" && got !== "" ? `for ${got}` : got,
    isThere(receiver) ? `to ${party(receiver)}` : "",
    isThere(venue) ? `on ${party(venue)}` : "",
    typeof toChain === "number" ? `towards chain ${toChain}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** What remains when all of it has happened, in the worst case. */
export function describeNet(value: unknown): readonly (readonly [label: string, text: string])[] {
  const net = membersOf(value);
  return [
    ...listOf(net["leaves"]).map((flow) => ["leaves", gives(onlyMost(flow))] as const),
    ...listOf(net["arrives"]).map((flow) => ["arrives", gets(flow)] as const),
    ...listOf(net["others"]).map(
      (flow) => ["goes", `${gives(onlyMost(flow))} to ${party(membersOf(flow)["party"])}`] as const,
    ),
    ...listOf(net["authority"]).map((held) => ["remains", authority(held)] as const),
    ...listOf(net["admin"]).map((changed) => ["control", admin(changed)] as const),
  ];
}

/** In the net effect only the worst case is said. */
const onlyMost = (flow: unknown): Members => ({ ...membersOf(flow), least: membersOf(flow)["most"] });
