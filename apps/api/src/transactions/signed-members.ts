// The additional members of `tx` that a proposal may not ignore, because a wallet signs them. A proposal covers only
// to, value and data, so a verdict would concern another transaction than the one that is sent.

/** In the spelling of `plainName`. */
const signedMembers = new Set([
  // Transactions of any type (EIP-155, 2930, 1559, 4844, 7702).
  ...["to", "value", "data", "input", "from", "sender", "chainid", "nonce", "type", "gas", "gaslimit"],
  ...["gasprice", "maxfeepergas", "maxpriorityfeepergas", "maxfeeperblobgas", "accesslist"],
  ...["authorizationlist", "blobs", "blobversionedhashes", "sidecar", "sidecars", "kzg", "feetoken"],
  // Safe transactions, batches and user operations.
  ...["operation", "safetxgas", "basegas", "gastoken", "refundreceiver", "delegatecall", "calls"],
  ...["transactions", "batch", "calldata", "initcode", "factory", "factorydata", "callgaslimit"],
  ...["verificationgaslimit", "preverificationgas", "paymaster", "paymasteranddata", "paymasterdata"],
  ...["paymasterverificationgaslimit", "paymasterpostopgaslimit"],
  // Transactions that are already signed.
  ...["signature", "signatures", "v", "r", "s", "yparity", "raw", "rawtransaction"],
]);

/** Libraries spell the same member gasPrice, gas_price and GasPrice. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

type Proposed = {
  readonly tx: Readonly<Record<string, unknown>>;
  readonly escrowAddress: string;
  readonly chainId: number;
};

/** Whether it repeats a value of the proposal, so that ignoring it changes nothing. */
function isRepetition(name: string, value: unknown, { tx, escrowAddress, chainId }: Proposed): boolean {
  if (value === null || value === undefined) return true;
  if (name === "from") return typeof value === "string" && value.toLowerCase() === escrowAddress;
  if (name === "input") return typeof value === "string" && value.toLowerCase() === tx["data"];
  if (name !== "chainId") return false;
  return (
    value === chainId ||
    (typeof value === "string" &&
      /^(0x[0-9a-f]{1,14}|[0-9]{1,16})$/i.test(value) &&
      Number(value) === chainId)
  );
}

const known: ReadonlySet<string> = new Set(["to", "value", "data"]);

/** Returns the members of `tx` that would change what is signed, in their original spelling. */
export const findSignedMembers = (proposed: Proposed): readonly string[] =>
  Object.entries(proposed.tx)
    .filter(([name]) => !known.has(name) && signedMembers.has(plainName(name)))
    .filter(([name, value]) => !isRepetition(name, value, proposed))
    .map(([name]) => name);
