import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet. What translates into IPv4 (mapped, NAT64, 6to4, Teredo) is not, whatever it
 * translates to: a network that does so may reach its own inside that way.
 */
export function isPublicAddress(text: string): boolean {
  // Before the parser, which also knows octal, short and zoned forms.
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(globalUnicast);
}
