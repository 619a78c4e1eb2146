// Which further members of `tx` a proposal may not ignore: those that belong to what a wallet signs. A proposal covers to, value
// and data alone, so a verdict would be about another transaction than the one that is sent.

/** As `plainName` writes them. */
const signedMembers = new Set([
  // Of a transaction of any type (EIP-155, 2930, 1559, 4844, 7702).
  ...["to", "value", "data", "input", "from", "sender", "chainid", "nonce", "type", "gas", "gaslimit"],
  ...["gasprice", "maxfeepergas", "maxpriorityfeepergas", "maxfeeperblobgas", "accesslist"],
  ...["authorizationlist", "blobs", "blobversionedhashes", "sidecar", "sidecars", "kzg", "feetoken"],
  // Of a Safe transaction, a batch or a user operation.
  ...["operation", "safetxgas", "basegas", "gastoken", "refundreceiver", "delegatecall", "calls"],
  ...["transactions", "batch", "calldata", "initcode", "factory", "factorydata", "callgaslimit"],
  ...["verificationgaslimit", "preverificationgas", "paymaster", "paymasteranddata", "paymasterdata"],
  ...["paymasterverificationgaslimit", "paymasterpostopgaslimit"],
  // Of what is signed already.
  ...["signature", "signatures", "v", "r", "s", "yparity", "raw", "rawtransaction"],
]);

/** Libraries spell the same member gasPrice, gas_price and GasPrice. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

type Proposed = {
  readonly tx: Readonly<Record<string, unknown>>;
  readonly escrowAddress: string;
  readonly chainId: number;
};

/** Says the same once more as the proposal says itself, so that ignoring it changes nothing. */
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

/** Returns the members of `tx` that would change what is signed, in their own spelling. */
export const findSignedMembers = (proposed: Proposed): readonly string[] =>
  Object.entries(proposed.tx)
    .filter(([name]) => !known.has(name) && signedMembers.has(plainName(name)))
    .filter(([name, value]) => !isRepetition(name, value, proposed))
    .map(([name]) => name);
