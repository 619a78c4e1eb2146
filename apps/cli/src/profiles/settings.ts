// Resolves service and credentials: flags, then environment, then profile.
import type { Session } from "@countersign/sdk";
import { usageError } from "../errors.ts";
import { isHttpUrl, type Profile, type ProfileFile } from "./profile-shape.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Global options. */
export type Flags = {
  readonly json: boolean;
  readonly color: boolean;
  readonly profile?: string;
  readonly url?: string;
  readonly validatorUrl?: string;
};

export type Settings = {
  readonly profileName: string;
  /** Undefined if the profile does not exist. */
  readonly profile: Profile | undefined;
  /** Whether the user named the profile. */
  readonly isNamed: boolean;
  readonly url: string | undefined;
  readonly validatorUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly session: Session | undefined;
  /** Notices about overridden settings. */
  readonly notices: readonly string[];
};

type Parts = { readonly flags: Flags; readonly env: Env; readonly file: ProfileFile };

export function resolveSettings({ flags, env, file }: Parts): Settings {
  const named = flags.profile ?? variable(env, "COUNTERSIGN_PROFILE");
  const profileName = named ?? file.current ?? "default";
  const profile = Object.hasOwn(file.profiles, profileName) ? file.profiles[profileName] : undefined;
  const notices: string[] = [];
  const choose: Choose = (flag, name, saved) => {
    const said = variable(env, name);
    if (flag === undefined && said !== undefined && saved !== undefined && said !== saved)
      notices.push(`${name} overrides profile ${profileName}.`);
    return flag ?? said ?? saved;
  };
  const url = checked(choose(flags.url, "COUNTERSIGN_URL", profile?.url), "URL");
  const validatorUrl = checked(
    choose(flags.validatorUrl, "COUNTERSIGN_VALIDATOR_URL", profile?.validatorUrl),
    "validator URL",
  );
  const own = ownOf(profile, url);
  if (profile !== undefined && own === undefined && hasCredentials(profile))
    notices.push(`Profile ${profileName} belongs to another service, so its credentials aren't used.`);
  return {
    ...{ profileName, profile, isNamed: named !== undefined, url, validatorUrl },
    apiKey: choose(undefined, "COUNTERSIGN_API_KEY", own?.apiKey),
    session: own?.session,
    notices,
  };
}

type Choose = (flag: string | undefined, name: string, saved: string | undefined) => string | undefined;

/** An empty variable counts as unset. */
const variable = (env: Env, name: string): string | undefined => (env[name] === "" ? undefined : env[name]);

/** Returns the profile only for its own service: credentials must not reach another one. */
const ownOf = (profile: Profile | undefined, url: string | undefined): Profile | undefined =>
  profile !== undefined && url !== undefined && isSameOrigin(url, profile.url) ? profile : undefined;

const hasCredentials = ({ apiKey, session }: Profile): boolean =>
  apiKey !== undefined || session !== undefined;

export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin;

function checked(url: string | undefined, what: string): string | undefined {
  if (url === undefined) return undefined;
  if (!isHttpUrl(url)) throw usageError(`The ${what} must start with https:// or http://`);
  return url.replace(/\/+$/, "");
}
