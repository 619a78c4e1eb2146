// Checks whether the service accepts the credentials.
import { AuthenticationError, createCountersign, PermissionError } from "@countersign/sdk";
import { identify, type Identity } from "../account/identity.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../profiles/settings.ts";
import { failureOf } from "../failure.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Describes the credentials if the service does not answer. */
export function describeCredentials({ url, apiKey, session, profileName }: Settings): readonly Finding[] {
  if (url === undefined) return [];
  const kinds = [...(apiKey === undefined ? [] : ["key"]), ...(session === undefined ? [] : ["session"])];
  if (kinds.length === 0) return [notSignedIn];
  return kinds.map((kind) =>
    warn(
      kind,
      `set for profile ${profileName}; not checked, because the service doesn't answer`,
      "countersign doctor",
    ),
  );
}

const notSignedIn = warn("credential", "not signed in", "countersign login");

export async function examineCredentials(
  context: Context,
  { url, apiKey, session, profileName }: Settings,
): Promise<readonly Finding[]> {
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
  return findings.length === 0 ? [notSignedIn] : findings;
}

async function tried(name: string, todo: string, identify: () => Promise<Identity>): Promise<Finding> {
  try {
    const identity = await identify();
    const account = identity.address ?? "no account";
    return ok(
      name,
      identity.as === "owner"
        ? `valid, owner of ${account}`
        : `valid, ${account}, scopes: ${identity.scopes.join(", ") || "none"}`,
    );
  } catch (error) {
    const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
    return fail(
      name,
      failureOf(error).message,
      isRefused ? todo : "Try again in a moment: countersign doctor",
    );
  }
}
