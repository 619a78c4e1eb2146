// The key that signs verdicts, and nothing else. It is in a key service, or stored encrypted in a file and read at the start.
import { z } from "zod";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { newId } from "@countersign/platform/ids";
import { connectSigningKey, type KmsSettings, type SigningAccount } from "@countersign/platform/kms";
import {
  findPrivateFile,
  makePrivateFile,
  openSecret,
  refuseFile,
  sealSecret,
  type Keks,
  type PrivateFile,
  type SealedSecret,
} from "@countersign/platform/secrets";
import {
  attest,
  verdictTypedData,
  type Attestation,
  type Hex,
  type ShapedVerdict,
  type Verdict,
  type WireDomain,
} from "@countersign/wire";

/** The rest of the service's access to the key: it can sign verdicts and nothing else. */
export type VerdictSigner = {
  /** Also the service's inbox address. In lower case. */
  readonly address: Hex;
  readonly signVerdict: (domain: WireDomain, verdict: Verdict | ShapedVerdict) => Promise<Attestation>;
};

const purpose = "orion verdict key";

const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const SealedFile = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  kekId: z.string(),
  wrappedKey: bytes,
  nonce: bytes,
  ciphertext: bytes,
});

function write({ id, kekId, wrappedKey, nonce, ciphertext }: SealedSecret): string {
  const text = (part: Buffer): string => part.toString("base64");
  const sealed = {
    version: 1,
    id,
    kekId,
    wrappedKey: text(wrappedKey),
    nonce: text(nonce),
    ciphertext: text(ciphertext),
  };
  return `${JSON.stringify(sealed, undefined, 2)}\n`;
}

function read(file: PrivateFile, text: string): SealedSecret {
  try {
    const { version: _, ...sealed } = SealedFile.parse(JSON.parse(text));
    return { ...sealed, purpose };
  } catch {
    throw refuseFile(file, `${file.path} does not contain an encrypted key`);
  }
}

function makeSigner(account: SigningAccount): VerdictSigner {
  const address: Hex = `0x${account.address.slice(2).toLowerCase()}`;
  return {
    address,
    signVerdict: async (domain, verdict) =>
      attest(domain, verdict, await account.signTypedData(verdictTypedData(domain, verdict)), address),
  };
}

export type KmsKeySettings = KmsSettings & {
  readonly VERDICT_KMS_KEY?: string | undefined;
  readonly VERDICT_KMS_ADDRESS?: string | undefined;
};

/** Undefined if no key in a key service is configured. One that cannot be used is an error, and no file is read instead. */
export async function findKmsVerdictKey(settings: KmsKeySettings): Promise<VerdictSigner | undefined> {
  const { VERDICT_KMS_KEY: name, VERDICT_KMS_ADDRESS: address } = settings;
  if (name === undefined) return undefined;
  return makeSigner(
    await connectSigningKey({ name, address, addressSetting: "VERDICT_KMS_ADDRESS" }, settings),
  );
}

/** Undefined if there is no such file. One that cannot be read is an error and never replaced. */
export async function findVerdictKey(file: PrivateFile, keks: Keks): Promise<VerdictSigner | undefined> {
  const text = await findPrivateFile(file);
  if (text === undefined) return undefined;
  const value = await openSecret(keks, read(file, text));
  try {
    return makeSigner(privateKeyToAccount(`0x${value.toString("hex")}`));
  } finally {
    value.fill(0);
  }
}

/** Returns whether a key was created. An existing key stays. */
export async function makeVerdictKey(file: PrivateFile, [kek]: Keks): Promise<boolean> {
  const value = Buffer.from(generatePrivateKey().slice(2), "hex");
  try {
    return await makePrivateFile(file, write(await sealSecret(kek, { id: newId(), purpose, value })));
  } finally {
    value.fill(0);
  }
}
