import { readContent, readEnvelope, type Content } from "@countersign/wire/envelope";
import {
  createMessage,
  decrypt,
  encrypt,
  readKey,
  readMessage,
  readPrivateKey,
  sign,
  type PrivateKey,
} from "openpgp";
import pg from "pg";
import type { PrivateKeyAccount } from "viem/accounts";
import { aKeyPair, register } from "./pgp-keys.ts";
import { aWallet, bearer, signIn, type SignedIn } from "./sign-in.ts";
import type { TestApi } from "./test-api.ts";

type Hex = `0x${string}`;
type Headers = Readonly<Record<string, string>>;

/** Limits that no test reaches by accident, and an engine that is down. */
export const manyProposals = {
  TRANSACTIONS_PER_MINUTE_PER_IP: "100000",
  TRANSACTIONS_PER_MINUTE_PER_USER: "100000",
  TRANSACTIONS_PER_MINUTE_PER_KEY: "100000",
  ENGINE_INGRESS_URL: "http://127.0.0.1:9",
} as const;

/** The chains that stores made by tests treat as watched. */
export const watchedChains: ReadonlySet<number> = new Set([1, 11_155_111]);

/** For expiry, without a node: unwatched chains have none, and no wallet is a contract. */
export const chainOf = (chainId: number) =>
  watchedChains.has(chainId) ? { hasCode: async () => false } : undefined;

/** As if the chain watch had read every future block. */
export const readToTheEnd = `insert into chain_cursors (chain_id, block_number, recent, caught_up_at)
  values (11155111, 0, '[]', 'infinity') on conflict do nothing`;

/** A signed-in owner with a wallet and an API key for their agent. */
export type Owner = {
  readonly wallet: PrivateKeyAccount;
  readonly who: SignedIn;
  readonly key: string;
};

export async function anOwner(api: TestApi, wallet = aWallet()): Promise<Owner> {
  const who = await signIn(api, wallet);
  const made = await api.http.send({
    method: "POST",
    url: "/user-api-keys",
    payload: { name: "my agent" },
    headers: bearer(who),
  });
  return { wallet, who, key: made.json<{ secret: string }>().secret };
}

export const withKey = (key: string): Headers => ({ "x-api-key": key });

/** A valid body. A test changes only what it is about. */
export const aProposal = (
  escrowAddress: string,
  overrides: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  escrowAddress,
  userPrompt: "Send 0.001 ETH to 0x1111111111111111111111111111111111111111.",
  tx: { to: "0x1111111111111111111111111111111111111111", value: "1000000000000000", data: "0x" },
  ...overrides,
});

/** Proposes for an owner, with their agent's key unless other headers are given. */
export const propose = (
  { http }: TestApi,
  { wallet, key }: Pick<Owner, "wallet" | "key">,
  overrides: Readonly<Record<string, unknown>> = {},
  headers: Headers = withKey(key),
) =>
  http.send({ method: "POST", url: "/transactions", payload: aProposal(wallet.address, overrides), headers });

export type Proposed = {
  readonly id: string;
  readonly requestHash: Hex;
  readonly status: string;
  readonly expiresAt: string;
};

export async function inDatabase<T>(
  { databaseUrl }: Pick<TestApi, "databaseUrl">,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return use(client).finally(() => client.end());
}

export const chooseExecutionType = ({ http }: TestApi, { who }: Owner, executionType: 0 | 1 | 2) =>
  http.send({ method: "PUT", url: "/settings", payload: { executionType }, headers: bearer(who) });

/** A verification service with its OpenPGP key, as the directory would mirror it. */
export type TestService = {
  readonly id: number;
  readonly inbox: Hex;
  /** Signs its verdicts. */
  readonly wallet: PrivateKeyAccount;
  readonly fingerprint: string;
  readonly armoured: string;
  readonly privateKey: PrivateKey;
};

type ServiceOptions = {
  readonly id?: number;
  readonly active?: boolean;
  /** False: the key at the registry's address was not read yet. */
  readonly isKeyKnown?: boolean;
  /** For invalid keys. */
  readonly keyOptions?: Partial<Parameters<typeof aKeyPair>[0]>;
};

export async function aVerificationService(
  api: Pick<TestApi, "databaseUrl">,
  { id = 1, active = true, isKeyKnown = true, keyOptions }: ServiceOptions = {},
): Promise<TestService> {
  const pair = await aKeyPair(keyOptions);
  const privateKey = await readPrivateKey({ armoredKey: pair.privateKey });
  const fingerprint = privateKey.getFingerprint();
  const wallet = aWallet();
  const inbox = wallet.address.toLowerCase() as Hex;
  await inDatabase(api, (client) =>
    client.query(
      `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri, armoured)
       values ($1, 11155111, 'Orion', $2, $3, $4, 'data:,', $5)`,
      [id, inbox, active, fingerprint, isKeyKnown ? pair.publicKey : null],
    ),
  );
  return { id, inbox, wallet, fingerprint, armoured: pair.publicKey, privateKey };
}

/** An owner with a registered OpenPGP key, and its signing key. */
export async function anOwnerWithPgpKey(api: TestApi): Promise<Owner & { readonly signingKey: PrivateKey }> {
  const owner = await anOwner(api);
  const pair = await aKeyPair();
  await register(api, owner, pair.publicKey);
  return { ...owner, signingKey: await readPrivateKey({ armoredKey: pair.privateKey }) };
}

// The library's own types of these three do not resolve. With text as input, they return text.

type Encrypting = Partial<
  Pick<Parameters<typeof encrypt>[0], "wildcard" | "passwords" | "date" | "encryptionKeyIDs">
>;

export async function encryptTo(
  armoredKeys: readonly string[],
  text: string,
  options: Encrypting = {},
): Promise<string> {
  const made: unknown = await encrypt({
    message: await createMessage({ text }),
    encryptionKeys: await Promise.all(armoredKeys.map((armoredKey) => readKey({ armoredKey }))),
    ...options,
  });
  return made as string;
}

type Signing = Partial<Pick<Parameters<typeof sign>[0], "date">> & { readonly isDetached?: boolean };

/** Over a text, or over raw bytes. Detached by default. */
export async function signPgp(
  over: string | Buffer,
  signingKeys: PrivateKey | PrivateKey[],
  { isDetached = true, ...options }: Signing = {},
): Promise<string> {
  const message =
    typeof over === "string" ? await createMessage({ text: over }) : await createMessage({ binary: over });
  const made: unknown = await sign({ message, signingKeys, detached: isDetached, ...options });
  return made as string;
}

export async function decryptWith(decryptionKeys: PrivateKey, armoredMessage: string): Promise<string> {
  const message = await readMessage({ armoredMessage });
  const opened: unknown = await decrypt({ message, decryptionKeys });
  return (opened as { readonly data: string }).data;
}

/** Decrypts what is pinned to IPFS for a proposal, with the verification service's key. */
export async function sealedContentOf(
  api: TestApi,
  { privateKey }: Pick<TestService, "privateKey">,
  id: string,
): Promise<Content | undefined> {
  const { rows } = await inDatabase(api, (client) =>
    client.query<{ envelope: Buffer }>("select envelope from transactions where id = $1", [id]),
  );
  const envelope = readEnvelope(rows[0]?.envelope ?? new Uint8Array());
  return readContent(await decryptWith(privateKey, envelope?.ciphertext ?? ""));
}

/** The payload that a sender encrypts instead of sending request and call. */
export async function aSealedPayload(
  { armoured }: Pick<TestService, "armoured">,
  { signingKey }: { readonly signingKey: PrivateKey },
  content = "unreadable here",
) {
  const encryptedPayload = await encryptTo([armoured], content);
  const payloadSignature = await signPgp(encryptedPayload, signingKey);
  return { userPrompt: undefined, tx: undefined, encryptedPayload, payloadSignature };
}
