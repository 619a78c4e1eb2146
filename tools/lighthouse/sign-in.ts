// A session at the web server, got as its pages get it. The cookies are ours to show, so that no browser has to be prepared.
import { privateKeyToAccount } from "viem/accounts";
import type { TransactionView } from "../../packages/sdk/src/index.ts";
import { signIn as signInBySdk } from "../../packages/sdk/src/viem/index.ts";
import type { DevAccount } from "../engines/anvil.ts";

export type Session = {
  readonly cookie: string;
  readonly end: () => Promise<void>;
};

type Ask = { readonly method?: string; readonly body?: unknown; readonly cookie?: string };

async function ask(address: string, { method = "GET", body, cookie }: Ask): Promise<Response> {
  const answer = await fetch(address, {
    method,
    headers: {
      "x-countersign-page": "1",
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** A new one for each look: one that had to be renewed on the way would be shown with a token that is used up. */
export async function signIn(web: string, { privateKey }: DevAccount): Promise<Session> {
  let cookie = "";
  const throughServer: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const path = pathname === "/auth/siwe/verify" ? "/session" : `/api${pathname}`;
    const answer = await ask(`${web}${path}`, { method: "POST", body: JSON.parse(init?.body as string) });
    cookie = answer.headers
      .getSetCookie()
      .map((given) => given.split(";")[0])
      .join("; ");
    return answer;
  };
  await signInBySdk({ url: web, wallet: privateKeyToAccount(privateKey), fetch: throughServer });
  return {
    cookie,
    end: async () => {
      await ask(`${web}/session`, { method: "DELETE", cookie });
    },
  };
}

/** The newest transaction with this request. */
export async function findTransaction(
  web: string,
  owner: DevAccount,
  userPrompt: string,
): Promise<TransactionView> {
  const { cookie, end } = await signIn(web, owner);
  try {
    const answer = await ask(`${web}/api/transactions/users/${owner.address}`, { cookie });
    const found = ((await answer.json()) as readonly TransactionView[]).find(
      (transaction) => transaction.description === userPrompt,
    );
    if (found === undefined) throw new Error("The story is not told on this stack: npm run seed");
    return found;
  } finally {
    await end();
  }
}
