// Compiles the mocks at start. It takes two seconds and keeps binaries out of the repository.
import { readFileSync } from "node:fs";
import solcModule from "solc";
import { must } from "../must.ts";

// The package has no types.
const solc = solcModule as { compile(input: string): string };

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
};

const NAMES = ["Token", "Router", "Pool", "Account", "EntryPoint", "MultiSend", "Multicall3"] as const;
export type Mocks = Record<(typeof NAMES)[number], string>;

export function compileMocks(): Mocks {
  const content = readFileSync(new URL("mocks.sol", import.meta.url), "utf8");
  const input = {
    language: "Solidity",
    sources: { "mocks.sol": { content } },
    settings: {
      optimizer: { enabled: true, runs: 1 },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const failed = (output.errors ?? []).filter((e) => e.severity === "error");
  if (failed.length > 0) throw new Error(failed.map((e) => e.formattedMessage).join("\n"));
  const contracts = must(output.contracts["mocks.sol"]);
  const code = NAMES.map((name) => [name, `0x${must(contracts[name]).evm.deployedBytecode.object}`]);
  return Object.fromEntries(code) as Mocks;
}
