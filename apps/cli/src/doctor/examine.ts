// Runs all checks, from local to remote.
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import type { Settings } from "../profiles/settings.ts";
import { describeCredentials, examineCredentials } from "./examine-credentials.ts";
import { examineMachine } from "./examine-machine.ts";
import { examineService, examineValidator } from "./examine-services.ts";
import { fail, type Finding } from "./finding.ts";

export type { Finding } from "./finding.ts";

export async function examine(context: Context): Promise<readonly Finding[]> {
  const machine = await examineMachine(context);
  const settings = await settingsOrFinding(context, isBroken(machine));
  if ("status" in settings) return [...machine, settings];
  const service = await examineService(context, settings);
  const isThere = service.every(({ name, status }) => name !== "service" || status !== "fail");
  return [
    ...machine,
    ...service,
    ...(isThere ? await examineCredentials(context, settings) : describeCredentials(settings)),
    ...(await examineValidator(context, settings)),
  ];
}

const isBroken = (machine: readonly Finding[]): boolean =>
  machine.some(({ name, status }) => name === "profiles" && status === "fail");

/** Flags and environment still work with a broken profile file. */
async function settingsOrFinding(context: Context, isFileBroken: boolean): Promise<Settings | Finding> {
  try {
    return isFileBroken ? context.settingsWithoutProfile() : await context.settings();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return fail("service", error.message, error.hint ?? "countersign login --url https://…");
  }
}
