import type { Command } from "commander";
import { identify, identityRows } from "../account/identity.ts";
import type { Context } from "../context.ts";
import { rows } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { plainLine } from "../terminal/plain-text.ts";

export function addWhoami(program: Command, context: Context): void {
  program
    .command("whoami")
    .description("show the account and what you can do with it")
    .addHelpText("after", "\nExample:\n  countersign whoami --json")
    .action(async () => {
      const { profileName: profile, profile: saved } = await context.settings();
      const client = await context.client();
      const identity = await identify(client);
      const { url } = client;
      const name = saved === undefined ? null : profile;
      context.output.answer({ profile: name, url, ...identity }, () =>
        rows(
          [
            ["profile", name ?? "none (set by environment variables)"],
            ["service", plainLine(url)],
            ...identityRows(identity),
          ],
          pageOf(context).width,
          "",
        ).join("\n"),
      );
    });
}
