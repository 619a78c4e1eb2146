// Which service, and as whom: what was typed counts first, then the environment, then the profile.
import type { Session } from "@countersign/sdk";
import { usageError } from "../errors.ts";
import { isHttpUrl, type Profile, type ProfileFile } from "./profile-shape.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The options that every command takes. */
export type Flags = {
  readonly json: boolean;
  readonly color: boolean;
  readonly profile?: string;
  readonly url?: string;
  readonly validatorUrl?: string;
};

export type Settings = {
  readonly profileName: string;
  /** Undefined: nothing is saved under that name. */
  readonly profile: Profile | undefined;
  /** Somebody asked for this profile by name. */
  readonly isNamed: boolean;
  readonly url: string | undefined;
  readonly validatorUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly session: Session | undefined;
  /** What the environment overrides, each a sentence. */
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

/** Set to nothing is not set. */
const variable = (env: Env, name: string): string | undefined => (env[name] === "" ? undefined : env[name]);

/** What a profile holds was given out by the profile's service. Nobody else gets to see it. */
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
