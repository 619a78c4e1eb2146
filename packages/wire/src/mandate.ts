// The owner's standing permission for one agent, as the owner's wallet shows and signs it.
import type { Hex, TypedDataDefinition } from "viem";
import { hashTypedData } from "viem/utils";
import { nameAndVersion } from "./domain.ts";
import { lowerCase, uint, wellFormed } from "./encode.ts";

export type MandateLimit = {
  /** One of the mandate's assets, `count`, or `usd`. */
  readonly measure: string;
  /** A calendar window names its time zone: `day in Europe/Berlin`. Weeks begin on Monday. */
  readonly span: "transaction" | "period" | "rolling" | "total" | `${"day" | "week" | "month"} in ${string}`;
  /** The length of a period, counted from `validFrom`, or of a rolling interval. 0 for other spans. */
  readonly seconds: number;
  /** In whole tokens, as a person writes it: "200" or "0.5". */
  readonly most: string;
  /** Of the token: 1 token is 10^decimals base units. */
  readonly decimals: number;
};

export type Mandate = {
  readonly account: Hex;
  /** The installation: a mandate for a test system counts nowhere else. */
  readonly homeChainId: number;
  readonly inbox: Hex;
  /** As the proposer of a transaction: `key:<id>` or `oauth:<id>`. */
  readonly agent: string;
  readonly purpose: string;
  /** The validator's acts, such as `transfer`. */
  readonly acts: readonly string[];
  /** CAIP-19 ids, which contain the chain. */
  readonly assets: readonly string[];
  /** CAIP-10 ids, or only "*". */
  readonly recipients: readonly string[];
  readonly limits: readonly MandateLimit[];
  /** Unix seconds. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** 32 bytes. */
  readonly nonce: Hex;
};

const mandateTypes = {
  Mandate: [
    { name: "account", type: "address" },
    { name: "homeChainId", type: "uint256" },
    { name: "inbox", type: "address" },
    { name: "agent", type: "string" },
    { name: "purpose", type: "string" },
    { name: "acts", type: "string[]" },
    { name: "assets", type: "string[]" },
    { name: "recipients", type: "string[]" },
    { name: "limits", type: "Limit[]" },
    { name: "validFrom", type: "uint256" },
    { name: "validUntil", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
  Limit: [
    { name: "measure", type: "string" },
    { name: "span", type: "string" },
    { name: "seconds", type: "uint256" },
    { name: "most", type: "string" },
    { name: "decimals", type: "uint8" },
  ],
} as const;

/**
 * Returns the typed data that the owner's wallet signs. As for signed intents, the domain has no chain, because a wallet on
 * another network would refuse to sign; the installation is in the signed fields instead.
 */
export const mandateTypedData = (mandate: Mandate): TypedDataDefinition<typeof mandateTypes, "Mandate"> => ({
  domain: nameAndVersion,
  types: mandateTypes,
  primaryType: "Mandate",
  message: {
    account: lowerCase(mandate.account),
    homeChainId: uint(mandate.homeChainId),
    inbox: lowerCase(mandate.inbox),
    agent: wellFormed(mandate.agent),
    purpose: wellFormed(mandate.purpose),
    acts: mandate.acts.map(wellFormed),
    assets: mandate.assets.map(wellFormed),
    recipients: mandate.recipients.map(wellFormed),
    limits: mandate.limits.map((limit) => ({
      measure: wellFormed(limit.measure),
      span: limit.span,
      seconds: uint(limit.seconds),
      most: wellFormed(limit.most),
      decimals: limit.decimals,
    })),
    validFrom: uint(mandate.validFrom),
    validUntil: uint(mandate.validUntil),
    nonce: mandate.nonce,
  },
});

/** Returns the EIP-712 digest, which identifies the mandate. */
export const hashMandate = (mandate: Mandate): Hex => hashTypedData(mandateTypedData(mandate));
