import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi } from "viem";
import { encodeFunctionData } from "viem/utils";
import type { Hex } from "@countersign/wire";

type Contract = {
  readonly abi: Abi;
  readonly evm: { readonly deployedBytecode: { readonly object: string } };
};

const compiler = join(import.meta.dirname, "../../../contracts/bin/solc");
type Source = "contracts.sol" | "unknown-contracts.sol";

const compiled = new Map<Source, ReturnType<typeof compile>>();
/** The contracts of a file in this folder, compiled once per process. */
export function compileContracts(source: Source = "contracts.sol"): ReturnType<typeof compile> {
  const known = compiled.get(source) ?? compile(source);
  compiled.set(source, known);
  return known;
}

function compile(source: Source) {
  const content = readFileSync(join(import.meta.dirname, source), "utf8");
  const outputSelection = { "*": { "*": ["abi", "evm.deployedBytecode.object"] } };
  const input = JSON.stringify({
    ...{ language: "Solidity", sources: { [source]: { content } } },
    settings: { evmVersion: "cancun", outputSelection },
  });
  const output = execFileSync(process.execPath, [compiler, "--standard-json"], { input, maxBuffer: 2 ** 24 });
  const { contracts, errors = [] } = JSON.parse(output.toString()) as {
    readonly contracts?: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const found = contracts?.[source];
  const failed = errors.filter(({ severity }) => severity === "error");
  if (found === undefined || failed.length > 0)
    throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const contractOf = (name: string): Contract => {
    const contract = found[name];
    if (contract === undefined) throw new Error(`there is no ${name} in ${source}`);
    return contract;
  };
  return {
    codeOf: (name: string): Hex => `0x${contractOf(name).evm.deployedBytecode.object}`,
    encode: (name: string, functionName: string, ...args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi: contractOf(name).abi, functionName, args }),
  };
}
