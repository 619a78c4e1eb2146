// Writes a transaction of ethers as the parameter of `eth_sendTransaction`, which the core reads strictly.
import { copyRequest, resolveAddress, toQuantity, type Signer, type TransactionRequest } from "ethers";

/** Copies the request before it awaits anything. Names are resolved. */
export async function writeRequest(
  request: TransactionRequest,
  signer: Signer,
): Promise<Readonly<Record<string, unknown>>> {
  const { to, from, gasLimit, ...others } = copyRequest(request);
  const members = Object.entries({ ...others, gas: gasLimit })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, writeValue(value)] as const);
  return {
    ...(Object.fromEntries(members) as Record<string, unknown>),
    ...(to == null ? {} : { to: await resolveAddress(to, signer) }),
    ...(from == null ? {} : { from: await resolveAddress(from, signer) }),
  };
}

const writeValue = (value: unknown): unknown =>
  typeof value === "bigint" || typeof value === "number" ? toQuantity(value) : value;
