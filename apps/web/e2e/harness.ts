// The harness of all flows: the system, the pages, a browser, owners and agents.
import { existsSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { createCountersign, type Countersign, type Hex } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { buildPages, startOrJoin, startWeb, type Stack, type WebServer } from "./stack.ts";
import { installWallet, type TestWallet } from "./wallet.ts";

export type Owner = {
  readonly account: PrivateKeyAccount;
  /** An HTTP client with the owner's session. */
  readonly client: Countersign;
};
export type Agent = { readonly client: Countersign; readonly apiKey: string };

export const screens = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 900 },
} as const;

type Screen = keyof typeof screens;

/** The screens for each flow: phone, touch and dark; desktop, keyboard and light. */
export const sights = [
  { screen: "phone", scheme: "dark" },
  { screen: "desktop", scheme: "light" },
] as const;

export type VisitOptions = {
  readonly owner?: Owner;
  readonly screen?: Screen;
  readonly scheme?: "light" | "dark";
  /** Starts signed in. Default: true if there is an owner. */
  readonly isSignedIn?: boolean;
  /** Installs the test wallet. Default: true. */
  readonly hasWallet?: boolean;
  /** The URL of another web server, for example one with a failing API. */
  readonly url?: string;
};

export type Visit = {
  readonly page: Page;
  readonly screen: Screen;
  readonly context: BrowserContext;
  readonly wallet: TestWallet;
  readonly url: string;
  /** CSP violations and page errors. Empty if all is well. */
  readonly complaints: readonly string[];
  readonly goto: (path: string) => Promise<void>;
  /** Returns axe violations as `rule: selector`. */
  readonly axe: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

export type Harness = {
  readonly stack: Stack;
  readonly pages: string;
  readonly web: WebServer;
  readonly makeOwner: (key?: Hex) => Promise<Owner>;
  readonly makeAgent: (owner: Owner) => Promise<Agent>;
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  readonly end: () => Promise<void>;
};

async function fund(rpcUrl: string, address: Hex): Promise<void> {
  await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "anvil_setBalance",
      params: [address, "0x8ac7230489e80000"],
    }),
  });
}

/** Signs in over HTTP with the browser's cookies. */
async function signInBrowser(context: BrowserContext, url: string, wallet: PrivateKeyAccount): Promise<void> {
  const throughServer: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const answer = await context.request.post(
      `${url}${pathname === "/auth/siwe/verify" ? "/session" : `/api${pathname}`}`,
      {
        headers: { "x-countersign-page": "1", "content-type": "application/json" },
        data: init?.body as string,
      },
    );
    return new Response(await answer.text(), { status: answer.status() });
  };
  await signIn({ url, wallet, fetch: throughServer });
}

function listen(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (/content security policy|trusted ?types?/i.test(message.text()))
      complaints.push(`policy: ${message.text()}`);
  });
}

let visits = 0;

/** Returns an IP address for each visit, so that visits do not share the rate limits of one address. */
function nextAddress(): string {
  visits += 1;
  return `198.18.${visits >> 8}.${visits & 255}`;
}

async function makeVisit(
  browser: Browser,
  harness: { rpcUrl: string; url: string },
  options: VisitOptions,
): Promise<Visit> {
  const { owner, screen = "desktop", scheme = "light", url = harness.url } = options;
  const context = await browser.newContext({
    viewport: screens[screen],
    colorScheme: scheme,
    reducedMotion: "reduce",
    hasTouch: screen === "phone",
    isMobile: screen === "phone",
    permissions: ["clipboard-read", "clipboard-write"],
    extraHTTPHeaders: { "x-forwarded-for": nextAddress() },
  });
  const account = owner?.account ?? privateKeyToAccount(generatePrivateKey());
  const wallet =
    options.hasWallet === false
      ? { asked: [], refuse: false }
      : await installWallet(context, { account, rpcUrl: harness.rpcUrl });
  if (owner !== undefined && options.isSignedIn !== false) await signInBrowser(context, url, account);
  const page = await context.newPage();
  // A generous limit: a loaded machine takes ten times longer.
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  listen(page, complaints);
  return {
    ...{ page, screen, context, wallet, url, complaints },
    goto: async (path) => {
      await page.goto(`${url}${path}`);
    },
    axe: async () => {
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
        .analyze();
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
    },
    close: async () => {
      // Ignores a route handler that is still running when its page closes.
      for (const routed of [page, context]) await routed.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  };
}

/** Debian's Chromium; prefers the headless shell, which uses less CPU. */
function findChromium(): string {
  const shell = "/usr/bin/chromium-headless-shell";
  return existsSync(shell) ? shell : "/usr/bin/chromium";
}

export async function setHarness(): Promise<Harness> {
  const [stack, pages] = await Promise.all([startOrJoin(), buildPages()]);
  const web = await startWeb(pages, stack.urls.api);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  const { api: url, anvil: rpcUrl } = stack.urls;
  return {
    ...{ stack, pages, web },
    makeOwner: async (key = generatePrivateKey()) => {
      const account = privateKeyToAccount(key);
      await fund(rpcUrl, account.address);
      const session = await signIn({ url, wallet: account });
      return { account, client: createCountersign({ url, session }) };
    },
    makeAgent: async ({ client }) => {
      const { secret } = await client.keys.create({ name: "an agent" });
      return { apiKey: secret, client: createCountersign({ url, apiKey: secret }) };
    },
    visit: (options = {}) => makeVisit(browser, { rpcUrl, url: web.url }, options),
    end: async () => {
      await browser.close();
      await web.stop();
      await stack.stop();
    },
  };
}
