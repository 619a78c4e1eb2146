// The owner's part in every OAuth flow, with a wallet and without a browser: comes to the authorization page, signs in,
// approves, and goes where the client waits.
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { waitUntil } from "../engines/index.ts";

export type Browser = {
  readonly wallet: PrivateKeyAccount;
  /** The owner's credential for the service. */
  readonly session: () => Promise<Readonly<Record<string, string>>>;
  /** Approves what an authorization address asks for. Where the client waits for the answer, with the answer. */
  readonly consent: (authorizationUrl: string | URL) => Promise<string>;
  /** The same, and goes there. */
  readonly visit: (authorizationUrl: string | URL) => Promise<void>;
};

type Json = Readonly<Record<string, string>>;

async function post(url: string, body: object, headers: Json = {}): Promise<Json> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Json;
}

async function signIn(api: string, wallet: PrivateKeyAccount): Promise<Json> {
  const { address } = wallet;
  const { nonce = "" } = await post(`${api}/auth/siwe/nonce`, { walletAddress: address });
  const message = createSiweMessage({
    ...{ address, nonce, uri: api, domain: new URL(api).host, version: "1", chainId: 11_155_111 },
    issuedAt: new Date(),
  });
  const signature = await wallet.signMessage({ message });
  const { accessToken = "" } = await post(`${api}/auth/siwe/verify`, { message, signature });
  return { authorization: `Bearer ${accessToken}` };
}

/** The authorization page sends a browser on to the consent page of the web app, and gives it a cookie to come back with. */
async function openPage(url: string | URL): Promise<{ readonly session: string; readonly cookie: string }> {
  const answer = await fetch(url, { redirect: "manual" });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`authorize answered ${answer.status}: ${await answer.text()}`);
  const session = new URL(location).searchParams.get("session");
  if (session === null) throw new Error(`authorize refused: ${location}`);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";", 1)[0]);
  return { session, cookie: cookie.join("; ") };
}

export function makeBrowser(api: string): Browser {
  const wallet = privateKeyToAccount(generatePrivateKey());
  let signedIn: Promise<Json> | undefined;
  const session = (): Promise<Json> => (signedIn ??= signIn(api, wallet));
  const consent = async (authorizationUrl: string | URL): Promise<string> => {
    const page = await openPage(authorizationUrl);
    const headers = { ...(await session()), ...(page.cookie === "" ? {} : { cookie: page.cookie }) };
    const { redirectUrl = "" } = await post(`${api}/oauth/approve`, { sessionId: page.session }, headers);
    return redirectUrl;
  };
  const visit = async (authorizationUrl: string | URL): Promise<void> => {
    const redirectUrl = await consent(authorizationUrl);
    // A program may say where to go before it listens for the answer.
    const answer = await waitUntil("the client listens", () => fetch(redirectUrl));
    if (!answer.ok) throw new Error(`the client answered ${answer.status}: ${await answer.text()}`);
  };
  return { wallet, session, consent, visit };
}
