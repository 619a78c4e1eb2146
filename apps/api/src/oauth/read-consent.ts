import { consentErrors } from "./errors.ts";
import { hostOfRedirect, isLoopbackRedirect } from "./redirect-uri.ts";
import { grantableScopes, type Scope } from "./scopes.ts";
import type { ConsentSession, SessionStore } from "./store/sessions.ts";

type Parts = {
  readonly sessions: Pick<SessionStore, "find">;
  readonly resource: string;
  readonly resourceName: string;
};

/** The data of the consent page. Everything in `client` except `clientIdHost` is the client's own claim. */
type Consent = Pick<ConsentSession, "redirectUri" | "createdAt" | "expiresAt"> & {
  readonly sessionId: string;
  readonly status: "pending";
  readonly client: Pick<ConsentSession, "clientId" | "clientName" | "clientUri" | "registration"> & {
    readonly clientIdHost: string | null;
  };
  readonly redirectHost: string;
  readonly redirectIsLoopback: boolean;
  readonly redirectIsPrivateUse: boolean;
  readonly scopes: readonly { readonly name: Scope; readonly description: string }[];
  readonly resource: string;
  readonly resourceName: string;
};

/** Returns what the consent page shows. Never the state, the challenge, a code, or who decided. */
export const makeReadConsent = ({ sessions, resource, resourceName }: Parts) =>
  async function readConsent(sessionId: string): Promise<Consent> {
    const session = await sessions.find(sessionId);
    if (session === undefined) throw consentErrors.unknown();
    if (session.status !== "pending" || session.isExpired) throw consentErrors.over();
    const { clientId, clientName, clientUri, registration, redirectUri, createdAt, expiresAt } = session;
    return {
      ...{ sessionId, redirectUri, createdAt, expiresAt, resource, resourceName },
      status: "pending",
      client: {
        ...{ clientId, clientName, clientUri, registration },
        clientIdHost: registration === "metadata-document" ? new URL(clientId).host : null,
      },
      redirectHost: hostOfRedirect(redirectUri),
      redirectIsLoopback: isLoopbackRedirect(redirectUri),
      redirectIsPrivateUse: !["http:", "https:"].includes(new URL(redirectUri).protocol),
      scopes: session.scopes.map((name) => ({ name, description: grantableScopes[name] })),
    };
  };
