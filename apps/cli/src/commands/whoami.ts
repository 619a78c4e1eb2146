import type { Command } from "commander";
import { identify, identityRows } from "../account/identity.ts";
import type { Context } from "../context.ts";
import { rows } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { plainLine } from "../terminal/plain-text.ts";

export function addWhoami(program: Command, context: Context): void {
  program
    .command("whoami")
    .description("whose account this is, and what may be done with it")
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
            ["profile", name ?? "none: the environment says it all"],
            ["service", plainLine(url)],
            ...identityRows(identity),
          ],
          pageOf(context).width,
          "",
        ).join("\n"),
      );
    });
}
