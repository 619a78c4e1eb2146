import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { folderOf, root } from "./fetch-packages.ts";
import { packages } from "./packages.ts";

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex };
type Named<P> = P extends { readonly name: infer N extends string; readonly version: infer V extends string }
  ? N | `${N}@${V}`
  : never;
/** With its version if there are several. */
export type PackageName = Named<(typeof packages)[number]>;

/** Addresses of libraries, by name. */
export type Links = Readonly<Record<string, Hex>>;

type Place = { readonly start: number; readonly length: number };

type Written = {
  readonly abi: Abi;
  /** By file and library: the bytes of the creation code that its address replaces. */
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly Place[]>>>>;
  readonly bytecode?: string | { readonly object: string };
  readonly evm?: { readonly bytecode: { readonly object: string } };
};

export function readPackageFile(name: PackageName, file: string): unknown {
  const found = packages.find((one) => name === one.name || name === `${one.name}@${one.version}`);
  if (found === undefined) throw new Error(`${name} is not one of the world's packages`);
  return JSON.parse(readFileSync(join(folderOf(found), file), "utf8"));
}

/** Returns the creation code, in digits, with the addresses of its libraries. Those that are not given stay open. */
function link(code: string, { linkReferences = {} }: Written, links: Links): string {
  const libraries = Object.values(linkReferences).flatMap((one) => Object.entries(one));
  return libraries
    .flatMap(([library, places]) => places.map((place) => ({ ...place, address: links[library]?.slice(2) })))
    .reduce(
      (linked, { start, length, address }) =>
        address === undefined
          ? linked
          : linked.slice(0, 2 * start) + address + linked.slice(2 * (start + length)),
      code,
    );
}

/** Reads a contract of a package. Compilers write the creation code in three places. */
export function readArtifact(name: PackageName, file: string, links: Links = {}): Artifact {
  const written = readPackageFile(name, file) as Written;
  const { abi, bytecode, evm } = written;
  const found = typeof bytecode === "string" ? bytecode : (bytecode ?? evm?.bytecode)?.object;
  const code = found === undefined ? undefined : link(found.replace(/^0x/, ""), written, links);
  if (code === undefined || !/^(?:[0-9a-fA-F]{2})+$/.test(code))
    throw new Error(`${name}/${file} has no creation code, or code that must be linked`);
  return { abi, bytecode: `0x${code}` };
}

const compiler = join(import.meta.dirname, "../../contracts/bin/solc");
const source = "contracts.sol";

type Compiled = { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } };
let compiled: Readonly<Record<string, Compiled>> | undefined;

/** Compiles our own contracts. The compiler takes longer than the rest of a build, so its output is kept. */
function compile(): Readonly<Record<string, Compiled>> {
  const content = readFileSync(join(import.meta.dirname, source), "utf8");
  const kept = join(
    root,
    `contracts-${createHash("sha256").update(content).digest("hex").slice(0, 16)}.json`,
  );
  if (!existsSync(kept)) {
    mkdirSync(root, { recursive: true });
    // Renamed when it is whole, because another process may read it.
    const work = `${kept}.${process.pid}`;
    writeFileSync(work, JSON.stringify(compileText(content)));
    renameSync(work, kept);
  }
  return JSON.parse(readFileSync(kept, "utf8")) as Readonly<Record<string, Compiled>>;
}

function compileText(content: string): Readonly<Record<string, Compiled>> {
  const input = JSON.stringify({
    ...{ language: "Solidity", sources: { [source]: { content } } },
    settings: {
      ...{ optimizer: { enabled: true, runs: 200 }, evmVersion: "cancun" },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  });
  const output = execFileSync(process.execPath, [compiler, "--standard-json"], { input, maxBuffer: 2 ** 25 });
  const { contracts, errors = [] } = JSON.parse(output.toString()) as {
    readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const failed = errors.filter(({ severity }) => severity === "error");
  const found = contracts?.[source];
  if (found === undefined || failed.length > 0)
    throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return found;
}

/** Returns one of the contracts in contracts.sol. */
export function ownArtifact(name: string): Artifact {
  compiled ??= compile();
  const found = compiled[name];
  if (found === undefined) throw new Error(`there is no ${name} in ${source}`);
  return { abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` };
}
