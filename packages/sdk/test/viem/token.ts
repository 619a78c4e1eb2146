// Compiles the test token. Its code is placed where the validator expects USDC.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAbi, type Hex } from "viem";

const compiler = join(import.meta.dirname, "../../../../contracts/bin/solc");

/** USDC on Sepolia. */
export const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";

export const tokenAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);

type Output = {
  readonly contracts?: {
    readonly "token.sol": {
      readonly Token: { readonly evm: { readonly deployedBytecode: { readonly object: string } } };
    };
  };
  readonly errors?: readonly { readonly formattedMessage: string }[];
};

/** Returns the runtime code of the token. */
export function compileToken(): Hex {
  const input = JSON.stringify({
    language: "Solidity",
    sources: { "token.sol": { content: readFileSync(join(import.meta.dirname, "token.sol"), "utf8") } },
    settings: {
      viaIR: true,
      optimizer: { enabled: true },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
    },
  });
  const output = execFileSync(process.execPath, [compiler, "--standard-json"], { input, maxBuffer: 2 ** 24 });
  const { contracts, errors = [] } = JSON.parse(output.toString()) as Output;
  if (contracts === undefined)
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return `0x${contracts["token.sol"].Token.evm.deployedBytecode.object}`;
}
