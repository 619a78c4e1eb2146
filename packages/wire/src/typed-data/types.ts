import { domainFields, type SignedDomain } from "./domain.ts";
import { fail, isObject } from "./problem.ts";

type Field = { readonly name: string; readonly type: string };
export type Types = Readonly<Record<string, readonly Field[]>>;

/** Libraries find type names with \w, and other characters would change which types are hashed. */
const isName = (text: unknown): text is string =>
  typeof text === "string" && /^[A-Za-z_]\w{0,99}$/.test(text) && text !== "__proto__";

const integer = /^u?int(\d{1,3})$/;
const fixedBytes = /^bytes(\d{1,2})$/;

const isSize = (digits: string | undefined, step: number, most: number): boolean => {
  const size = Number(digits);
  return String(size) === digits && size > 0 && size % step === 0 && size <= most;
};

/** Whether it is a type of EIP-712 itself. The aliases `uint` and `int` are not: libraries hash them differently. */
const isAtomic = (type: string): boolean =>
  ["address", "bool", "string", "bytes"].includes(type) ||
  isSize(integer.exec(type)?.[1], 8, 256) ||
  isSize(fixedBytes.exec(type)?.[1], 1, 32);

/** Splits `T[2]` into its element type and its length, undefined if the length is open. */
export function elementOf(type: string): { readonly type: string; readonly length?: number } | undefined {
  const [, element, length] = /^(\w+(?:\[\d{0,4}\])*)\[(\d{0,4})\]$/.exec(type) ?? [];
  if (element === undefined) return undefined;
  return length === undefined || length === ""
    ? { type: element }
    : { type: element, length: Number(length) };
}

const baseOf = (type: string): string => {
  const element = elementOf(type);
  return element === undefined ? type : baseOf(element.type);
};

/** Libraries disagree about structures that are named like a type of EIP-712. */
const isReserved = (name: string): boolean => isAtomic(name) || /^(u?int|bytes)/.test(name);

function parseField(json: unknown, at: string): Field {
  if (!isObject(json)) return fail(at, "must be { name, type }");
  const { name, type } = json;
  if (!isName(name)) return fail(at, "must have a name of letters, digits and _");
  if (typeof type !== "string") return fail(at, "must have a type");
  return { name, type };
}

function parseFields(json: unknown, at: string): readonly Field[] {
  if (!Array.isArray(json)) return fail(at, "must be a list of { name, type }");
  const fields = json.map((field, index) => parseField(field, `${at}[${index}]`));
  if (new Set(fields.map(({ name }) => name)).size !== fields.length)
    return fail(at, "must not name a field twice");
  return fields;
}

/** A wallet may use the given type instead of the one that follows from the domain. */
function checkDomainType(json: unknown, domain: SignedDomain): void {
  if (json === undefined) return;
  const at = "types.EIP712Domain";
  if (JSON.stringify(parseFields(json, at)) !== JSON.stringify(domainFields(domain)))
    fail(at, "must list exactly the members of domain, in the order of EIP-712");
}

/** Returns the types that the primary type uses, in the order in which they are found. */
export function parseTypes(json: unknown, primaryType: string, domain: SignedDomain): Types {
  if (!isObject(json)) return fail("types", "must be an object");
  checkDomainType(Object.hasOwn(json, "EIP712Domain") ? json["EIP712Domain"] : undefined, domain);
  const found = new Map<string, readonly Field[]>();
  const waiting = [primaryType];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    if (!isName(name) || isReserved(name) || name === "EIP712Domain" || !Object.hasOwn(json, name))
      return fail("types", `must define ${JSON.stringify(name.slice(0, 100))}`);
    const fields = parseFields(json[name], `types.${name}`);
    found.set(name, fields);
    waiting.push(...fields.map(({ type }) => baseOf(type)).filter((type) => !isAtomic(type)));
  }
  return Object.fromEntries(found);
}
