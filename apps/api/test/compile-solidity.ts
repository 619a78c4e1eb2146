// Contracts of tests, compiled when they are needed.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Abi } from "viem";

const compiler = join(import.meta.dirname, "../../../contracts/bin/solc");

export type CompiledContract = {
  readonly abi: Abi;
  readonly evm: { readonly deployedBytecode: { readonly object: string } };
};

/** Returns the contracts of one file by name. Throws with the compiler's messages. */
export function compileSolidity(path: string): Readonly<Record<string, CompiledContract>> {
  const name = basename(path);
  const input = JSON.stringify({
    language: "Solidity",
    sources: { [name]: { content: readFileSync(path, "utf8") } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { "*": { "*": ["abi", "evm.deployedBytecode.object"] } },
    },
  });
  const output = execFileSync(process.execPath, [compiler, "--standard-json"], { input, maxBuffer: 2 ** 24 });
  const { contracts, errors = [] } = JSON.parse(output.toString()) as {
    readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const failed = errors.filter(({ severity }) => severity === "error");
  const compiled = contracts?.[name];
  if (failed.length > 0 || compiled === undefined)
    throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return compiled;
}
