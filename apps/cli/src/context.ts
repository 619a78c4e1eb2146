// Everything a command may use. Commands do not access the terminal, network, environment or disk directly.
import { createCountersign, type Countersign, type Session } from "@countersign/sdk";
import type { Readable } from "node:stream";
import type { LocalAccount } from "viem";
import { readWallet } from "./account/wallet.ts";
import { notSignedIn, usageError } from "./errors.ts";
import type { ExitCode } from "./exit-codes.ts";
import { makeProfiles, noSuchProfile, type Profiles } from "./profiles/profiles.ts";
import { resolveSettings, type Env, type Flags, type Settings } from "./profiles/settings.ts";
import { makeOutput, type Output, type Stream } from "./terminal/output.ts";

/** The process environment; tests pass a fake. */
export type World = {
  readonly env: Env;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly stdin: Readable;
  /** Reads stdin to the end. */
  readonly readStdin: () => Promise<string>;
  /** Whether a user can answer questions. */
  readonly isTerminal: boolean;
  readonly confirm: (question: string) => Promise<boolean>;
  /** Prompts with hidden input. */
  readonly readSecret: (question: string) => Promise<string>;
  readonly openBrowser: (url: string) => Promise<void>;
  readonly fetch: typeof globalThis.fetch;
  /** Aborted by Ctrl-C or SIGTERM, with an Interrupted. */
  readonly signal: AbortSignal;
  /** The default profile directory; COUNTERSIGN_CONFIG_DIR overrides it. */
  readonly configDirectory: string;
};

export type Context = Pick<
  World,
  "env" | "stdin" | "readStdin" | "isTerminal" | "confirm" | "readSecret" | "openBrowser" | "fetch" | "signal"
> & {
  readonly output: Output;
  readonly profiles: Profiles;
  /** Set while the command line is parsed. */
  readonly flags: Flags;
  /** `mayBeNew`: the profile may not exist yet. */
  readonly settings: (options?: { readonly mayBeNew?: boolean }) => Promise<Settings>;
  /** Uses only flags and environment, in case the profile file cannot be read. */
  readonly settingsWithoutProfile: () => Settings;
  /** Returns the configured service URL. Throws if no service is configured. */
  readonly url: () => Promise<string>;
  /** Uses the agent's key, or else the owner's session. */
  readonly client: () => Promise<Countersign>;
  /** Uses the owner's session, or signs in with the wallet if there is no session. */
  readonly ownerClient: () => Promise<Countersign>;
  /** Returns the wallet of COUNTERSIGN_WALLET_KEY or the profile's key file, or undefined. */
  readonly wallet: () => Promise<LocalAccount | undefined>;
  /** Saves a renewed session at once, since the previous tokens are void. */
  readonly saveSession: (profileName: string, session: Session) => Promise<void>;
  /** Sets the exit code for a command that does not throw. Default: 0. */
  readonly endWith: (code: ExitCode) => void;
  readonly exitCode: () => ExitCode;
};

export type MutableFlags = { -readonly [Name in keyof Flags]: Flags[Name] };

export function makeContext(world: World, flags: MutableFlags): Context {
  const { env, stdin, readStdin, isTerminal, confirm, readSecret, openBrowser, signal } = world;
  const fetch = interruptible(world);
  const output = makeOutput({ ...world, flags });
  const profiles = makeProfiles(nonEmpty(env["COUNTERSIGN_CONFIG_DIR"]) ?? world.configDirectory);
  const settings = makeSettings({ env, flags, profiles, output });
  const saveSession = makeSaveSession(profiles);
  const parts = { settings, fetch, saveSession };
  let code: ExitCode = 0;
  const wallet: Context["wallet"] = async () => readWallet(env, (await settings()).profile);
  return {
    ...{ env, stdin, readStdin, isTerminal, confirm, readSecret, openBrowser, fetch, signal },
    ...{ output, profiles, flags, settings, wallet, saveSession },
    settingsWithoutProfile: () => resolveSettings({ env, flags, file: { profiles: {} } }),
    url: async () => urlOf(await settings()),
    client: () => clientOf(parts),
    ownerClient: () => ownerClientOf({ ...parts, wallet, output }),
    endWith: (chosen) => {
      code = chosen;
    },
    exitCode: () => code,
  };
}

/** Aborts every request on Ctrl-C, even if a command passed no signal. */
const interruptible =
  ({ fetch, signal }: World): typeof globalThis.fetch =>
  (address, init) =>
    fetch(address, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) });

type SettingsParts = {
  readonly env: Env;
  readonly flags: Flags;
  readonly profiles: Profiles;
  readonly output: Output;
};

function makeSettings({ env, flags, profiles, output }: SettingsParts): Context["settings"] {
  const said = new Set<string>();
  return async ({ mayBeNew = false } = {}) => {
    const settings = resolveSettings({ env, flags, file: await profiles.read() });
    if (settings.isNamed && settings.profile === undefined && !mayBeNew)
      throw noSuchProfile(settings.profileName);
    for (const notice of settings.notices) {
      if (!said.has(notice)) output.notice(notice);
      said.add(notice);
    }
    return settings;
  };
}

const makeSaveSession =
  (profiles: Profiles): Context["saveSession"] =>
  (profileName, session) =>
    profiles.change(profileName, (profile) => (profile === undefined ? undefined : { ...profile, session }));

export function urlOf({ url }: Settings): string {
  if (url === undefined)
    throw usageError(
      "No service is configured yet.",
      "countersign login --url https://…   (or try it on this machine: countersign sandbox)",
    );
  return url;
}

type ClientParts = Pick<Context, "settings" | "fetch" | "saveSession">;

async function clientOf({ settings, fetch, saveSession }: ClientParts): Promise<Countersign> {
  const found = await settings();
  const { apiKey, session, profileName, validatorUrl } = found;
  const at = { url: urlOf(found), fetch, ...(validatorUrl === undefined ? {} : { validatorUrl }) };
  if (apiKey !== undefined) return createCountersign({ ...at, apiKey });
  if (session === undefined) throw notSignedIn("You aren't signed in.", "countersign login");
  return createCountersign({ ...at, session, onSession: (next) => saveSession(profileName, next) });
}

async function ownerClientOf(parts: ClientParts & Pick<Context, "wallet" | "output">): Promise<Countersign> {
  const { settings, fetch, saveSession, wallet, output } = parts;
  const found = await settings();
  const { profileName, profile, validatorUrl } = found;
  const url = urlOf(found);
  const session = found.session ?? (await sessionByWallet({ url, fetch }, await wallet()));
  if (found.session === undefined && profile !== undefined) {
    await saveSession(profileName, session);
    output.notice(`Signed in as the owner. Saved in profile ${profileName}.`);
  }
  return createCountersign({
    ...{ url, fetch, session, onSession: (next) => saveSession(profileName, next) },
    ...(validatorUrl === undefined ? {} : { validatorUrl }),
  });
}

async function sessionByWallet(
  at: { readonly url: string; readonly fetch: typeof globalThis.fetch },
  wallet: LocalAccount | undefined,
): Promise<Session> {
  if (wallet === undefined)
    throw notSignedIn("Only the account's owner can do this.", "countersign login --wallet");
  const { signIn } = await import("@countersign/sdk/viem");
  return signIn({ ...at, wallet });
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
