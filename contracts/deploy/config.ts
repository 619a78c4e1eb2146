// The operator's settings of a deployment, from the environment. All problems are reported at once, and no message repeats a
// value, because one of them is a private key.
import type { Account, Address } from "viem";
import { isAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

export type DeployConfig = {
  rpcUrl: string;
  deployer: Account;
  registrar: Address;
  recorders: readonly Address[];
  owner: Address;
  /** The file with the addresses. Default: a file named after the chain. */
  file: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

export function readDeployConfig(environment: Environment): DeployConfig {
  const problems: string[] = [];
  // A variable that is set to nothing counts as not set.
  const textOf = (name: string): string | undefined => {
    const text = environment[name]?.trim();
    return text === "" ? undefined : text;
  };
  const read = <T>(name: string, wanted: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = textOf(name);
    const value = text === undefined ? undefined : parse(text);
    if (value === undefined) {
      problems.push(`${name} must be ${wanted}${text === undefined ? "; it is not set" : ""}.`);
    }
    return value;
  };

  const rpcUrl = read("RPC_URL", "the http(s) address of a JSON-RPC node", parseHttpUrl);
  const deployer = read("DEPLOYER_PRIVATE_KEY", "0x and the 64 hex digits of a private key", parseKey);
  const registrar = read("REGISTRAR_ADDRESS", "an address", parseAddress);
  const recorders = read("RECORDER_ADDRESSES", "a list of addresses with commas between", parseAddresses);
  const owner = textOf("OWNER_ADDRESS")
    ? read("OWNER_ADDRESS", "an address", parseAddress)
    : deployer?.address;

  if (!rpcUrl || !deployer || !registrar || !recorders || !owner) {
    throw new Error(`The configuration is not complete.\n${problems.map((line) => `- ${line}`).join("\n")}`);
  }
  return { rpcUrl, deployer, registrar, recorders, owner, file: textOf("DEPLOYMENT_FILE") };
}

function parseHttpUrl(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined;
}

function parseKey(text: string): Account | undefined {
  try {
    return privateKeyToAccount(text as `0x${string}`);
  } catch {
    // The cause is dropped on purpose: it may quote the key.
    return undefined;
  }
}

function parseAddress(text: string): Address | undefined {
  return isAddress(text) ? text : undefined;
}

function parseAddresses(text: string): readonly Address[] | undefined {
  const addresses = text.split(",").map((part) => part.trim());
  return addresses.every((address) => isAddress(address)) ? addresses : undefined;
}
