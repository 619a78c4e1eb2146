// Reads data to sign as an x402 payment, and refuses everything that is not one within the bounds.
import type { TypedData } from "@countersign/wire";
import { NotApprovedError } from "../guard/not-approved.ts";
import type { Hex } from "../types.ts";
import type { Payment, PaymentOptions } from "./payment-options.ts";

type Bounds = Pick<PaymentOptions, "networks" | "maxValiditySeconds">;

const fields = "from address,to address,value uint256,validAfter uint256,validBefore uint256,nonce bytes32";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

/** Throws a NotApprovedError for other data than an EIP-3009 payment of `payer`, and for one outside the bounds. */
export function readPayment(typedData: TypedData, payer: Hex, bounds: Bounds): Payment {
  const { domain, message } = typedData;
  if (!isEip3009(typedData))
    return refuse(
      `only EIP-3009 payments are signed, not ${typedData.primaryType}. Use the "exact" scheme with a token that supports EIP-3009`,
    );
  if (String(message["from"]).toLowerCase() !== payer.toLowerCase())
    return refuse("another account would pay");
  const { chainId, verifyingContract } = domain;
  if (chainId === undefined || verifyingContract === undefined)
    return refuse("the payment names no network or no token");
  const payment: Payment = {
    ...{ network: `eip155:${chainId}`, asset: verifyingContract, payTo: message["to"] as Hex },
    amount: BigInt(message["value"] as string),
    validBefore: readTime(message["validBefore"]),
  };
  if (!bounds.networks.includes(payment.network))
    return refuse(`the payment is on ${payment.network}, which is not in networks`);
  checkTimes(payment, readTime(message["validAfter"]), bounds);
  return payment;
}

function isEip3009({ primaryType, types }: TypedData): boolean {
  const members = types[primaryType] ?? [];
  return (
    primaryType === "TransferWithAuthorization" &&
    members.map(({ name, type }) => `${name} ${type}`).join() === fields
  );
}

/** Times beyond what a Date can hold are as good as never. */
function readTime(given: unknown): Date {
  const milliseconds = BigInt(given as string) * 1000n;
  const latest = 8_640_000_000_000_000n;
  return new Date(Number(milliseconds < latest ? milliseconds : latest));
}

function checkTimes({ validBefore }: Payment, validAfter: Date, { maxValiditySeconds = 3600 }: Bounds): void {
  const now = Date.now();
  if (validAfter.getTime() > now) refuse("the payment is not valid yet");
  if (validBefore.getTime() <= now) refuse("the payment has expired");
  if (validBefore.getTime() > now + maxValiditySeconds * 1000)
    refuse(`the payment stays valid for more than ${maxValiditySeconds} seconds (maxValiditySeconds)`);
}
