// The whole flow with a strict client, which checks every document, answer and token against the standards and stops
// at the first violation.
import * as strict from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { bearer, signIn } from "../../test/sign-in.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(() => api.close());

/** The client calls our public base URL and reaches the service where it listens. */
const options = {
  [strict.customFetch]: async (
    url: string,
    { method, headers, body }: strict.CustomFetchOptions<string, unknown>,
  ) => {
    const { pathname, search } = new URL(url);
    const sent =
      body instanceof URLSearchParams || typeof body === "string" ? { payload: body.toString() } : {};
    const answer = await api.http.send({ method, url: `${pathname}${search}`, headers, ...sent });
    const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(answer.body, { status: answer.statusCode, headers: told });
  },
};

async function discover() {
  const resource = new URL("https://api.example/mcp");
  const rs = await strict.processResourceDiscoveryResponse(
    resource,
    await strict.resourceDiscoveryRequest(resource, options),
  );
  const issuer = new URL(rs.authorization_servers?.[0] ?? "");
  const as = await strict.processDiscoveryResponse(
    issuer,
    await strict.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }),
  );
  return { rs, as };
}

/** Acts as browser and owner: follows the redirect, approves, returns. */
async function consent(address: URL): Promise<URL> {
  const asked = await api.http.send(`${address.pathname}${address.search}`);
  const sessionId = new URL(asked.headers.location ?? "").searchParams.get("session");
  const answer = await api.http.send({
    ...{ method: "POST", url: "/oauth/approve", headers: bearer(await signIn(api)) },
    payload: { sessionId },
  });
  return new URL(answer.json<{ redirectUrl: string }>().redirectUrl);
}

const proofs = {
  none: () => strict.None(),
  client_secret_post: (secret: string) => strict.ClientSecretPost(secret),
  client_secret_basic: (secret: string) => strict.ClientSecretBasic(secret),
} as const;
const methods = ["none", "client_secret_post", "client_secret_basic"] as const;

describe("a strict client", () => {
  test.each(methods)("that authenticates with %s gets access, and its tokens are correct", async (method) => {
    const { rs, as } = await discover();
    const redirectUri = "http://127.0.0.1:7777/cb";
    const client = await strict.processDynamicClientRegistrationResponse(
      await strict.dynamicClientRegistrationRequest(
        as,
        {
          ...{ redirect_uris: ["http://127.0.0.1/cb"], client_name: "A strict client" },
          token_endpoint_auth_method: method,
        },
        options,
      ),
    );
    const proof = proofs[method](z.string().default("").parse(client["client_secret"]));
    const verifier = strict.generateRandomCodeVerifier();
    const state = strict.generateRandomState();
    const address = new URL(as.authorization_endpoint ?? "");
    const asked = {
      ...{ client_id: client.client_id, response_type: "code", redirect_uri: redirectUri, state },
      code_challenge: await strict.calculatePKCECodeChallenge(verifier),
      ...{ code_challenge_method: "S256", scope: "transactions:read:own", resource: rs.resource },
    };
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);

    // Also checks `iss` and `state`.
    const answer = strict.validateAuthResponse(as, client, await consent(address), state);
    const tokens = await strict.processAuthorizationCodeResponse(
      as,
      client,
      await strict.authorizationCodeGrantRequest(as, client, proof, answer, redirectUri, verifier, {
        ...options,
        additionalParameters: { resource: rs.resource },
      }),
    );
    const renewed = await strict.processRefreshTokenResponse(
      as,
      client,
      await strict.refreshTokenGrantRequest(as, client, proof, tokens.refresh_token ?? "", options),
    );
    expect(renewed).toMatchObject({
      token_type: "bearer",
      expires_in: 900,
      scope: "transactions:read:own",
    });

    const request = new Request(rs.resource, {
      headers: { authorization: `Bearer ${renewed.access_token}` },
    });
    const claims = await strict.validateJwtAccessToken(as, request, rs.resource, options);
    expect(claims).toMatchObject({ client_id: client.client_id, scope: "transactions:read:own" });

    await strict.processRevocationResponse(
      await strict.revocationRequest(as, client, proof, renewed.refresh_token ?? "", options),
    );
    const refused = strict.processRefreshTokenResponse(
      as,
      client,
      await strict.refreshTokenGrantRequest(as, client, proof, renewed.refresh_token ?? "", options),
    );
    await expect(refused).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
  });
});
