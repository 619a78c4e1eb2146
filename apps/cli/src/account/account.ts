// Saves and reports a sign-in.
import { createCountersign, type Countersign } from "@countersign/sdk";
import { urlOf, type Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAddress } from "../profiles/profile-shape.ts";
import type { Profile } from "../profiles/profiles.ts";
import { isSameOrigin, type Settings } from "../profiles/settings.ts";
import { rows } from "../render/layout.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { identityRows, type Identity } from "./identity.ts";

export type Place = {
  readonly profileName: string;
  readonly profile: Profile | undefined;
  readonly url: string;
  readonly client: (credential: Pick<Profile, "apiKey" | "session">) => Countersign;
};

/** Returns where to sign in. A profile is bound to its service, so that a wrong URL cannot overwrite a key. */
export async function placeOf(context: Context): Promise<Place> {
  const settings = await context.settings({ mayBeNew: true });
  const { profileName, profile } = settings;
  const url = urlOf(settings);
  if (profile !== undefined && !isSameOrigin(profile.url, url)) throw otherService(settings, profile);
  const { fetch } = context;
  return {
    ...{ profileName, profile, url },
    client: (credential) => createCountersign({ ...credential, url, fetch }),
  };
}

const otherService = ({ profileName, url }: Settings, profile: Profile): CliError =>
  new CliError(`Profile ${profileName} belongs to ${profile.url}.`, {
    ...{ code: "other_service", exitCode: exitCodes.usage },
    hint: `countersign login --url ${url ?? "URL"} --profile NAME   (uses a separate profile)`,
  });

type Gained = Pick<Profile, "apiKey" | "session" | "walletKeyFile"> & {
  readonly address: string | null;
};

/** Saves the credentials. Keeps the profile's other credentials only if they belong to the same account. */
export async function keep(context: Context, place: Place, gained: Gained): Promise<void> {
  const { profileName, url } = place;
  const { address, ...credential } = gained;
  const account = address !== null && isAddress(address) ? { address } : {};
  await context.profiles.change(
    profileName,
    (before) => {
      const { apiKey, session, walletKeyFile, address: of, ...rest } = before ?? { url };
      const isSame = of !== undefined && of.toLowerCase() === address?.toLowerCase();
      const kept = isSame ? withoutUndefined({ apiKey, session, walletKeyFile }) : {};
      return { ...rest, url, ...kept, ...credential, ...account };
    },
    { makeCurrent: true },
  );
}

const withoutUndefined = (members: {
  readonly apiKey: Profile["apiKey"] | undefined;
  readonly session: Profile["session"] | undefined;
  readonly walletKeyFile: Profile["walletKeyFile"] | undefined;
}): Pick<Profile, "apiKey" | "session" | "walletKeyFile"> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Prints the account after a sign-in. */
export function welcome({ output }: Context, { profileName, url }: Place, identity: Identity): void {
  output.answer({ profile: profileName, url, ...identity }, () =>
    [
      output.colours().green("Signed in."),
      ...rows(
        [["profile", profileName], ["service", plainLine(url)], ...identityRows(identity)],
        output.width(),
        "",
      ),
    ].join("\n"),
  );
}
