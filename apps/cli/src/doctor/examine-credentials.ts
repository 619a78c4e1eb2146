// Is the service content with what we show it?
import { AuthenticationError, createCountersign, PermissionError } from "@countersign/sdk";
import { identify, type Identity } from "../account/identity.ts";
import type { Context } from "../context.ts";
import { failureOf } from "../failure.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

export async function examineCredentials(context: Context): Promise<readonly Finding[]> {
  const { url, apiKey, session, profileName } = await context.settings();
  if (url === undefined) return [];
  const { fetch, saveSession } = context;
  const findings: Finding[] = [];
  if (apiKey !== undefined)
    findings.push(
      await tried("key", "countersign login", () => identify(createCountersign({ url, fetch, apiKey }))),
    );
  if (session !== undefined)
    findings.push(
      await tried("session", "countersign login --wallet", () =>
        identify(
          createCountersign({ url, fetch, session, onSession: (next) => saveSession(profileName, next) }),
        ),
      ),
    );
  return findings.length === 0
    ? [warn("credential", "you are not signed in", "countersign login")]
    : findings;
}

async function tried(name: string, todo: string, identify: () => Promise<Identity>): Promise<Finding> {
  try {
    const identity = await identify();
    const account = identity.address ?? "no account of its own";
    return ok(
      name,
      identity.as === "owner"
        ? `good, owner of ${account}`
        : `good, ${account}, may ${identity.scopes.join(", ") || "do nothing"}`,
    );
  } catch (error) {
    const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
    return fail(name, failureOf(error).message, isRefused ? todo : "countersign doctor, a little later");
  }
}
