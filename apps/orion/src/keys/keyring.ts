import { resolve } from "node:path";
import type { Log } from "@countersign/platform/log";
import { loadKeks, refuseFile, type KekSettings, type PrivateFile } from "@countersign/platform/secrets";
import { findPgpKey, makePgpKey, type Unsealer } from "./pgp-key.ts";
import {
  findKmsVerdictKey,
  findVerdictKey,
  makeVerdictKey,
  type KmsKeySettings,
  type VerdictSigner,
} from "./verdict-key.ts";

export type Keys = { readonly signer: VerdictSigner; readonly unsealer: Unsealer };

export type KeySettings = KekSettings &
  KmsKeySettings & {
    readonly VERDICT_KEY_FILE: string;
    readonly VERDICT_KEY_CREATE: boolean;
    readonly PGP_KEY_FILE: string;
    readonly PGP_KEY_CREATE: boolean;
  };

export type Keyring = {
  /** Loads both keys. Creates a missing one first if its setting says so. */
  readonly load: () => Promise<Keys>;
  /** Returns what `load` returned. */
  readonly get: () => Keys;
};

/** Makes a relative path independent of the working directory. */
const appRoot = resolve(import.meta.dirname, "../..");

const command = "npm run admin -w apps/orion -- keys create";

type Kind<Key> = {
  readonly file: PrivateFile;
  readonly mayCreate: boolean;
  readonly createSetting: string;
  readonly find: (file: PrivateFile) => Promise<Key | undefined>;
  readonly make: (file: PrivateFile) => Promise<boolean>;
};

async function ensure<Key>(
  { file, mayCreate, createSetting, find, make }: Kind<Key>,
  log: Log,
): Promise<Key> {
  const found = await find(file);
  if (found !== undefined) return found;
  if (!mayCreate)
    throw refuseFile(
      file,
      `${file.path} does not exist. Create it with ${command}, or set ${createSetting}=true`,
    );
  if (await make(file)) log.warn("key created; without this file it is lost", { address: file.path });
  const made = await find(file);
  if (made === undefined) throw refuseFile(file, `${file.path} was created and is missing`);
  return made;
}

export function makeKeyring(settings: KeySettings, log: Log): Keyring {
  let loaded: Keys | undefined;
  const fileOf = (setting: "VERDICT_KEY_FILE" | "PGP_KEY_FILE"): PrivateFile => ({
    setting,
    path: resolve(appRoot, settings[setting]),
  });
  const loadFromFile = async (): Promise<VerdictSigner> => {
    const keks = await loadKeks(settings, { appRoot, log });
    return ensure(
      {
        file: fileOf("VERDICT_KEY_FILE"),
        mayCreate: settings.VERDICT_KEY_CREATE,
        createSetting: "VERDICT_KEY_CREATE",
        find: (file) => findVerdictKey(file, keks),
        make: (file) => makeVerdictKey(file, keks),
      },
      log,
    );
  };
  return {
    load: async () => {
      const signer = (await findKmsVerdictKey(settings)) ?? (await loadFromFile());
      const unsealer = await ensure(
        {
          file: fileOf("PGP_KEY_FILE"),
          mayCreate: settings.PGP_KEY_CREATE,
          createSetting: "PGP_KEY_CREATE",
          find: findPgpKey,
          make: makePgpKey,
        },
        log,
      );
      loaded = { signer, unsealer };
      return loaded;
    },
    get: () => {
      if (loaded === undefined) throw new Error("the keys are not loaded yet");
      return loaded;
    },
  };
}
