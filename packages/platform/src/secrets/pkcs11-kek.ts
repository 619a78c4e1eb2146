// Keys that never leave a token (an HSM, a smart card, SoftHSM): the token encrypts and decrypts data keys itself.
import { randomBytes } from "node:crypto";
import type * as Pkcs11 from "pkcs11js";
import { ConfigError } from "../config/index.ts";
import { keyLength, nonceLength, tagLength } from "./aes-gcm.ts";
import { SecretError } from "./errors.ts";
import { splitWrapped, type KeyEncryptionKey } from "./key-encryption-key.ts";

export type TokenSettings = {
  readonly modulePath: string;
  readonly token: string;
  readonly pin: string;
};
type Library = { readonly constants: typeof Pkcs11; readonly calls: Pkcs11.PKCS11 };
type InSession = <Result>(
  keyLabel: string,
  use: (session: Pkcs11.Handle, key: Pkcs11.Handle) => Result,
) => Result;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "no reason given");

/** Ignores the error if the call was already made in this process. */
function unlessDone(done: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (messageOf(error) !== done) throw error;
  }
}

/** The addon is optional and has to be compiled, so it is looked for only by those who ask for a token. */
async function loadLibrary(modulePath: string): Promise<Library> {
  const { default: constants } = await import("pkcs11js").catch((error: unknown) => {
    throw new Error("pkcs11js is not built here: npm rebuild pkcs11js --ignore-scripts=false", {
      cause: error,
    });
  });
  const calls = new constants.PKCS11();
  calls.load(modulePath);
  unlessDone("CKR_CRYPTOKI_ALREADY_INITIALIZED", () => {
    calls.C_Initialize();
  });
  return { constants, calls };
}

function findSlot({ calls }: Library, token: string): Pkcs11.Handle {
  // A token pads its label with blanks to 32 characters.
  const slots = calls.C_GetSlotList(true).filter((slot) => calls.C_GetTokenInfo(slot).label.trim() === token);
  const [slot] = slots;
  if (slot === undefined || slots.length > 1)
    throw new Error(`${slots.length} tokens are called "${token}", where there must be one`);
  return slot;
}

/** A key that could be taken out of the token would be no better than a file, so such a key is not found. */
function findKey({ calls, constants }: Library, session: Pkcs11.Handle, keyLabel: string): Pkcs11.Handle {
  calls.C_FindObjectsInit(session, [
    { type: constants.CKA_CLASS, value: constants.CKO_SECRET_KEY },
    { type: constants.CKA_KEY_TYPE, value: constants.CKK_AES },
    { type: constants.CKA_LABEL, value: keyLabel },
    { type: constants.CKA_SENSITIVE, value: true },
    { type: constants.CKA_EXTRACTABLE, value: false },
  ]);
  const keys = calls.C_FindObjects(session, 2);
  calls.C_FindObjectsFinal(session);
  const [key] = keys;
  if (key === undefined || keys.length > 1)
    throw new Error(
      `the token has ${key === undefined ? "no" : "more than one"} AES key "${keyLabel}" that may not leave it`,
    );
  return key;
}

/**
 * A session for each use: secrets are read seldom, and nothing held open can have died meanwhile. The calls are the blocking
 * ones on purpose, because two uses must not interleave in what the token takes for one application.
 */
function makeInSession(library: Library, { token, pin }: TokenSettings): InSession {
  const { calls, constants } = library;
  return (keyLabel, use) => {
    const session = calls.C_OpenSession(findSlot(library, token), constants.CKF_SERIAL_SESSION);
    try {
      unlessDone("CKR_USER_ALREADY_LOGGED_IN", () => {
        calls.C_Login(session, constants.CKU_USER, pin);
      });
      return use(session, findKey(library, session, keyLabel));
    } finally {
      calls.C_CloseSession(session);
    }
  };
}

function makeTokenKek(
  { calls, constants }: Library,
  inSession: InSession,
  keyLabel: string,
): KeyEncryptionKey {
  const gcm = (iv: Buffer, aad: Buffer): Pkcs11.Mechanism => {
    const parameter: Pkcs11.AesGCM = {
      type: constants.CK_PARAMS_AES_GCM_v240,
      iv,
      ivBits: nonceLength * 8,
      aad,
      tagBits: tagLength * 8,
    };
    return { mechanism: constants.CKM_AES_GCM, parameter };
  };
  return {
    id: `pkcs11-${keyLabel}`,
    wrap: async (dataKey, aad) =>
      inSession(keyLabel, (session, key) => {
        const nonce = randomBytes(nonceLength);
        calls.C_EncryptInit(session, gcm(nonce, aad), key);
        const room = Buffer.alloc(dataKey.length + tagLength);
        return Buffer.concat([nonce, calls.C_Encrypt(session, dataKey, room)]);
      }),
    unwrap: async (wrapped, aad) =>
      inSession(keyLabel, (session, key) => {
        const { nonce, ciphertext } = splitWrapped(wrapped);
        try {
          calls.C_DecryptInit(session, gcm(nonce, aad), key);
          return calls.C_Decrypt(session, ciphertext, Buffer.alloc(ciphertext.length));
        } catch (error) {
          // Tokens do not agree on the error for a wrong tag; SoftHSM calls it a general one.
          throw new SecretError("does-not-open", `The token's key "${keyLabel}" does not open this`, error);
        }
      }),
  };
}

async function checkRoundTrip({ wrap, unwrap }: KeyEncryptionKey): Promise<void> {
  const probe = randomBytes(keyLength);
  const aad = Buffer.from("probe");
  if (!(await unwrap(await wrap(probe, aad), aad)).equals(probe))
    throw new Error("a key changes what it wraps");
}

/** Each label's key, tried once: a wrong PIN or a key that cannot decrypt is found at the start and not at the first need. */
export async function openTokenKeks(
  settings: TokenSettings,
  keyLabels: readonly string[],
): Promise<readonly KeyEncryptionKey[]> {
  try {
    const library = await loadLibrary(settings.modulePath);
    const inSession = makeInSession(library, settings);
    const keks = keyLabels.map((keyLabel) => makeTokenKek(library, inSession, keyLabel));
    for (const kek of keks) await checkRoundTrip(kek);
    return keks;
  } catch (error) {
    throw new ConfigError([`SECRETS_PKCS11_*: ${messageOf(error)}`]);
  }
}
