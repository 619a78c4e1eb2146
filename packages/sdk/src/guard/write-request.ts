import { numberToHex } from "viem/utils";

const types: Readonly<Record<string, string>> = { legacy: "0x0", eip1559: "0x2" };

/** Writes a transaction of viem as the parameter of `eth_sendTransaction`, which the core reads strictly. */
export const writeRequest = (request: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(request).map(([name, value]) => [name, writeValue(name, value)]));

function writeValue(name: string, value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return numberToHex(value);
  return name === "type" && typeof value === "string" ? (types[value] ?? value) : value;
}
