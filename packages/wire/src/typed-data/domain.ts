import type { Hex } from "viem";
import { lowerCase } from "../encode.ts";
import { fail, isObject } from "./problem.ts";

export type SignedDomain = {
  readonly name?: string;
  readonly version?: string;
  readonly chainId?: number;
  readonly verifyingContract?: Hex;
  readonly salt?: Hex;
};

/** In the order of EIP-712, which the domain's type hash depends on. */
const fields = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
] as const;

/** Returns the fields of EIP712Domain: those that the domain has. */
export const domainFields = (domain: SignedDomain): readonly { name: string; type: string }[] =>
  fields.filter(({ name }) => domain[name] !== undefined);

export function parseDomain(json: unknown): SignedDomain {
  if (!isObject(json)) return fail("domain", "must be an object");
  const other = Object.keys(json).find((key) => !fields.some(({ name }) => name === key));
  if (other !== undefined) return fail(`domain.${other}`, "is not a member of an EIP-712 domain");
  const { name, version, chainId, verifyingContract, salt } = json;
  return {
    ...(name === undefined ? {} : { name: readText(name, "domain.name") }),
    ...(version === undefined ? {} : { version: readText(version, "domain.version") }),
    ...(chainId === undefined ? {} : { chainId: readChainId(chainId) }),
    ...(verifyingContract === undefined
      ? {}
      : { verifyingContract: readHex(verifyingContract, "domain.verifyingContract", 20) }),
    ...(salt === undefined ? {} : { salt: readHex(salt, "domain.salt", 32) }),
  };
}

const readText = (value: unknown, at: string): string =>
  typeof value === "string" && value.isWellFormed() ? value : fail(at, "must be well-formed text");

export function readChainId(value: unknown, at = "domain.chainId"): number {
  const isWritten = typeof value === "string" && /^(0x[0-9a-f]{1,14}|[0-9]{1,16})$/i.test(value);
  const chainId = isWritten ? Number(value) : value;
  return typeof chainId === "number" && Number.isSafeInteger(chainId) && chainId > 0
    ? chainId
    : fail(at, "must be a chain id");
}

export const readHex = (value: unknown, at: string, bytes: number): Hex =>
  typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value)
    ? lowerCase(value as Hex)
    : fail(at, `must be ${bytes} bytes in hex`);
