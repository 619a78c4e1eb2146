import { createHash, randomBytes } from "node:crypto";
import type { Browser } from "./browser.ts";

type Json = Readonly<Record<string, string>>;

async function answerOf(asked: Promise<Response>): Promise<Json> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Json;
}

/** A public client that waits at one address. Its id. */
export async function registerClient(api: string, redirectUri: string): Promise<string> {
  const { client_id: clientId = "" } = await answerOf(
    fetch(`${api}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "an example",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
      }),
    }),
  );
  return clientId;
}

const redirectUri = "http://127.0.0.1/callback";

/** An access token of a client of its own, by the whole flow. */
export async function getToken(api: string, browser: Pick<Browser, "consent">): Promise<string> {
  const clientId = await registerClient(api, redirectUri);
  const verifier = randomBytes(32).toString("base64url");
  const asked = new URLSearchParams({
    ...{
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge_method: "S256",
    },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const { searchParams } = new URL(await browser.consent(`${api}/oauth/authorize?${asked.toString()}`));
  const { access_token: token = "" } = await answerOf(
    fetch(`${api}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri },
        ...{ code: searchParams.get("code") ?? "", code_verifier: verifier },
      }),
    }),
  );
  return token;
}
