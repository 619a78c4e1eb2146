import { isIPv6 } from "node:net";

const ipv4Inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns what counts as one sender for limits: an IPv4 address, or the /64 of an IPv6 address. One subscriber has a whole /64,
 * and with it 2^64 addresses to send from. Anything that is not an address is returned as it is.
 */
export function networkOf(ip: string): string {
  // Nearly every address is IPv4, and the check for IPv6 is a long regular expression.
  if (!ip.includes(":")) return ip;
  const [address = ""] = ip.split("%");
  const inside = ipv4Inside.exec(address)?.[1];
  if (inside !== undefined) return inside;
  if (!isIPv6(address)) return ip;
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  // An IPv4 address at the end stands for two groups, which the first four never reach.
  const after =
    tail === undefined || tail === "" ? [] : tail.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0").split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
