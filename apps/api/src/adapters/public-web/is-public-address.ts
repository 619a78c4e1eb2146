import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address belongs to the public internet. Addresses that translate to IPv4 (mapped, NAT64, 6to4,
 * Teredo) do not, whatever they translate to: a network that translates them may reach its own private hosts
 * that way.
 */
export function isPublicAddress(text: string): boolean {
  // Before the parser, which also accepts octal, short and zoned forms.
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(globalUnicast);
}
