import type { Command } from "commander";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { noSuchProfile, type Profile } from "../profiles/profiles.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

export function addProfiles(program: Command, context: Context): void {
  const group = program
    .command("profiles")
    .description("manage saved services and accounts")
    .helpCommand(false)
    .addHelpText("after", "\nExample:\n  countersign profiles use staging");
  group
    .command("list")
    .description("list profiles (* marks the current one)")
    .action(() => list(context));
  group
    .command("use")
    .argument("<name>")
    .description("make a profile the current one")
    .action(async (name: string) => {
      await context.profiles.use(name);
      context.output.answer({ current: name }, () => `Current profile: ${name}`);
    });
  group
    .command("remove")
    .argument("<name>")
    .description("delete a profile and its credentials")
    .option("--yes", "skip the question")
    .action((name: string, options: { readonly yes?: boolean }) => remove(context, name, options));
}

async function list({ profiles, output }: Context): Promise<void> {
  const { current = null, profiles: all } = await profiles.read();
  const found = Object.entries(all).map(([name, profile]) => ({ name, ...shownOf(profile) }));
  output.answer({ current, profiles: found }, () =>
    found.length === 0
      ? "No profiles yet. Create one: countersign login --url https://…"
      : tableOf(
          ["", "name", "service", "account", "signed in as"],
          found.map(({ name, url, address, hasApiKey, hasSession }) => [
            name === current ? "*" : "",
            ...[name, plainLine(url), address ?? "-"],
            [...(hasApiKey ? ["agent"] : []), ...(hasSession ? ["owner"] : [])].join(", ") || "-",
          ]),
        ),
  );
}

/** Shows which credentials exist, never their values. */
const shownOf = ({ url, address, apiKey, session }: Profile) => ({
  ...{ url, address: address ?? null },
  ...{ hasApiKey: apiKey !== undefined, hasSession: session !== undefined },
});

async function remove(context: Context, name: string, options: { readonly yes?: boolean }): Promise<void> {
  const { profiles, output } = context;
  if (!Object.hasOwn((await profiles.read()).profiles, name)) throw noSuchProfile(name);
  const isRemoved = await isAgreed(context, `Delete ${name} and its credentials?`, options);
  if (isRemoved) await profiles.change(name, () => undefined);
  else context.endWith(exitCodes.no);
  output.answer({ name, removed: isRemoved }, () => (isRemoved ? `Deleted ${name}.` : "Cancelled."));
}
