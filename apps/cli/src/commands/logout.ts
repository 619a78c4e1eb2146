import type { Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { notSignedIn } from "../errors.ts";
import type { Profile } from "../profiles/profiles.ts";

const help = `
A key stays good until its owner revokes it: countersign keys revoke ID

Example:
  countersign logout --profile staging`;

export function addLogout(program: Command, context: Context): void {
  program
    .command("logout")
    .description("end the session and forget the credentials here")
    .addHelpText("after", help)
    .action(() => logout(context));
}

async function logout(context: Context): Promise<void> {
  const { output, profiles, env } = context;
  const { profileName, profile, session } = await context.settings();
  if (profile === undefined) throw notSignedIn("You are not signed in.", "countersign login");
  const isEnded = session === undefined ? null : await ended(await context.ownerClient(), context);
  await profiles.change(profileName, (before) => (before === undefined ? undefined : forgotten(before)));
  if (isEnded === false)
    output.notice("The service did not answer: there the session ends when it runs out.");
  if (profile.apiKey !== undefined)
    output.notice("The key was forgotten here. It stays good until its owner revokes it.");
  if ((env["COUNTERSIGN_API_KEY"] ?? "") !== "")
    output.notice("COUNTERSIGN_API_KEY is still set, and goes on being used.");
  output.answer({ profile: profileName, sessionEnded: isEnded }, () => `Signed out of ${profileName}.`);
}

/** What is known of the service stays, so that the next login needs no address. */
function forgotten({ url, validatorUrl, trust }: Profile): Profile {
  return {
    url,
    ...(validatorUrl === undefined ? {} : { validatorUrl }),
    ...(trust === undefined ? {} : { trust }),
  };
}

/** Signing out here must not fail because the service is away. */
async function ended(client: Countersign, { profiles, settings }: Context): Promise<boolean> {
  try {
    // Renews the session first if it has run out: what is ended is the newest pair.
    await client.address();
    const { profileName } = await settings();
    const refreshToken = (await profiles.read()).profiles[profileName]?.session?.refreshToken;
    await client.request("/auth/logout", { method: "POST", body: { refreshToken } });
    return true;
  } catch {
    return false;
  }
}
