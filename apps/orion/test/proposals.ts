// Proposals and envelopes for tests of this service.
import { randomBytes } from "node:crypto";
import { createMessage, encrypt, readKey } from "openpgp";
import {
  hashSealedProposal,
  parseCalls,
  parseTypedData,
  type BatchCall,
  type Hex,
  type WireDomain,
} from "@countersign/wire";
import {
  digestOf,
  hashContent,
  writeContent,
  writeEnvelope,
  type Content,
  type WholeContent,
} from "@countersign/wire/envelope";

export const domain: WireDomain = { chainId: 11_155_111, inbox: `0x${"1b".repeat(20)}` };

export const aWord = (): Hex => `0x${randomBytes(32).toString("hex")}`;
export const anAddress = (): Hex => `0x${randomBytes(20).toString("hex")}`;

const friend: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";

type TransactionContent = Extract<WholeContent, { version: 1 }>;

/** An honest proposal, whose intent and call agree. */
export const aContent = (changes: Partial<TransactionContent> = {}): TransactionContent => ({
  version: 1,
  escrow: "0x7a16ff8270133f063aab6c9977183d9e72835428",
  chainId: 1,
  to: friend,
  value: "100000000000000000",
  data: "0x",
  userPrompt: `Send 0.1 ETH to ${friend}`,
  executionType: 1,
  deadline: Math.floor(Date.now() / 1000) + 86_400,
  salt: aWord(),
  ...changes,
});

type BatchContent = Extract<WholeContent, { shape: "calls" }>;

/** A proposal of data to be signed. */
export function aSignature(
  typedData: object,
  changes: Partial<Pick<BatchContent, "escrow" | "userPrompt">> = {},
): Extract<WholeContent, { shape: "typedData" }> {
  const { escrow, chainId, executionType, deadline, salt, userPrompt } = { ...aContent(), ...changes };
  return {
    ...{ version: 2, escrow, chainId, executionType, deadline, salt, userPrompt },
    ...{ shape: "typedData", typedData: parseTypedData(typedData) },
  };
}

/** A proposal of several calls. `over` changes the batch itself. */
export function aBatch(
  calls: readonly (Pick<BatchCall, "to"> & Partial<BatchCall>)[],
  changes: Partial<Pick<BatchContent, "escrow" | "userPrompt">> = {},
  over: object = {},
): BatchContent {
  const { escrow, chainId, executionType, deadline, salt, userPrompt } = { ...aContent(), ...changes };
  const batch = { chainId, from: escrow, atomicRequired: true, calls, ...over };
  return {
    ...{ version: 2, escrow, chainId, executionType, deadline, salt, userPrompt },
    ...{ shape: "calls", calls: parseCalls(batch) },
  };
}

export async function sealTo(publicKey: string, text: string): Promise<string> {
  const armoured: unknown = await encrypt({
    message: await createMessage({ text }),
    encryptionKeys: await readKey({ armoredKey: publicKey }),
  });
  return String(armoured);
}

export type SealedUp = { readonly requestHash: Hex; readonly bytes: Uint8Array; readonly digest: Hex };

/** Encrypted as by the main service. */
export async function aStandardEnvelope(
  publicKey: string,
  content: WholeContent,
  home: WireDomain = domain,
): Promise<SealedUp> {
  const ciphertext = await sealTo(publicKey, writeContent(content));
  const bytes = writeEnvelope({ version: 1, form: "standard", ciphertext });
  return { requestHash: hashContent(home, content), bytes, digest: digestOf(bytes) };
}

/** Encrypted by a sender who shows the main service nothing. */
export async function aSealedEnvelope(
  publicKey: string,
  content: WholeContent,
  { inside = content, home = domain }: { readonly inside?: Content; readonly home?: WireDomain } = {},
): Promise<SealedUp> {
  const { escrow, chainId, executionType, deadline, salt } = content;
  const ciphertext = await sealTo(publicKey, writeContent(inside));
  const outside = { escrow, chainId, executionType, deadline, salt, ciphertext };
  const bytes = writeEnvelope({ version: 1, form: "sealed", ...outside });
  return { requestHash: hashSealedProposal(home, outside), bytes, digest: digestOf(bytes) };
}
