import type { Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { notSignedIn } from "../errors.ts";
import type { Profile } from "../profiles/profiles.ts";

const help = `
The key keeps working until the owner revokes it: countersign keys revoke ID

Example:
  countersign logout --profile staging`;

export function addLogout(program: Command, context: Context): void {
  program
    .command("logout")
    .description("sign out and delete the credentials on this machine")
    .addHelpText("after", help)
    .action(() => logout(context));
}

async function logout(context: Context): Promise<void> {
  const { output, profiles, env } = context;
  const { profileName, profile, session } = await context.settings();
  if (profile === undefined) throw notSignedIn("You aren't signed in.", "countersign login");
  const isEnded = session === undefined ? null : await ended(await context.ownerClient(), context);
  await profiles.change(profileName, (before) => (before === undefined ? undefined : forgotten(before)));
  if (isEnded === false) output.notice("The service didn't answer. The session there ends when it expires.");
  if (profile.apiKey !== undefined)
    output.notice("Key deleted from this machine. It keeps working until the owner revokes it.");
  if ((env["COUNTERSIGN_API_KEY"] ?? "") !== "")
    output.notice("COUNTERSIGN_API_KEY is still set and still used.");
  output.answer({ profile: profileName, sessionEnded: isEnded }, () => `Signed out of ${profileName}.`);
}

/** Keeps the service URL and trust for the next login. */
function forgotten({ url, validatorUrl, trust }: Profile): Profile {
  return {
    url,
    ...(validatorUrl === undefined ? {} : { validatorUrl }),
    ...(trust === undefined ? {} : { trust }),
  };
}

/** Never fails: the local sign-out must work during an outage. */
async function ended(client: Countersign, { profiles, settings }: Context): Promise<boolean> {
  try {
    // Renews an expired session first, so that the newest tokens are ended.
    await client.address();
    const { profileName } = await settings();
    const refreshToken = (await profiles.read()).profiles[profileName]?.session?.refreshToken;
    await client.request("/auth/logout", { method: "POST", body: { refreshToken } });
    return true;
  } catch {
    return false;
  }
}
