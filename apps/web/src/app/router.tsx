// All routes. Each page is loaded on demand.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from "@tanstack/react-router";
import { isHash } from "../lib/format.ts";
import { prefetch } from "../lib/transactions.ts";
import { client } from "./client.ts";
import { NotFound } from "./not-found.tsx";
import { PageProblem } from "./page-problem.tsx";
import { Shell } from "./shell.tsx";
import { signedIn } from "./signed-in.tsx";

/**
 * The router reloads the browser tab if a page's code fails to load, which loses the app while it is offline. Another error
 * makes it show the error page instead.
 */
async function orOffline<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new Error("The page’s code couldn’t be loaded.", { cause });
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
});

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The filters of the inbox. Empty strings are not in the URL. */
type InboxSearch = {
  readonly tab?: string;
  readonly q?: string;
  readonly outcome?: string;
  readonly agent?: string;
};

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => orOffline(() => import("../features/home/home-page.tsx")), "HomePage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: signedIn(() => <Navigate to="/transactions" replace />),
});

const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  validateSearch: (search) => ({ code: text(search["code"]) }),
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/connect/connect-page.tsx")), "ConnectPage"),
  ),
});

const consent = createRoute({
  getParentRoute: () => root,
  path: "/oauth/consent",
  validateSearch: (search) => ({ session: text(search["session"]) }),
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/consent/consent-page.tsx")), "ConsentPage"),
  ),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/transactions",
  validateSearch: (search): InboxSearch => ({
    tab: text(search["tab"]),
    q: text(search["q"]),
    outcome: text(search["outcome"]),
    agent: text(search["agent"]),
  }),
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/transactions/inbox-page.tsx")), "InboxPage"),
  ),
});

const transaction = createRoute({
  getParentRoute: () => root,
  path: "/transactions/$requestHash",
  validateSearch: (search): { readonly do?: "approve" } =>
    search["do"] === "approve" ? { do: "approve" } : {},
  // Not for a preload on hover: these requests count against the account's rate limits.
  loader: ({ params: { requestHash }, preload }) => {
    if (!preload && isHash(requestHash)) prefetch(client, requestHash);
  },
  component: signedIn(
    lazyRouteComponent(
      () => orOffline(() => import("../features/transactions/transaction-page.tsx")),
      "TransactionPage",
    ),
  ),
});

const access = createRoute({
  getParentRoute: () => root,
  path: "/access",
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/access/access-page.tsx")), "AccessPage"),
  ),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: signedIn(
    lazyRouteComponent(
      () => orOffline(() => import("../features/settings/settings-page.tsx")),
      "SettingsPage",
    ),
  ),
});

const custody = createRoute({
  getParentRoute: () => root,
  path: "/settings/custody",
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/custody/custody-page.tsx")), "CustodyPage"),
  ),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: "/settings/notifications",
  component: signedIn(
    lazyRouteComponent(
      () => orOffline(() => import("../features/notifications/notifications-page.tsx")),
      "NotificationsPage",
    ),
  ),
});

const myAgents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  component: signedIn(
    lazyRouteComponent(
      () => orOffline(() => import("../features/my-agents/agents-page.tsx")),
      "MyAgentsPage",
    ),
  ),
});

const myAgent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$kind/$id",
  component: signedIn(
    lazyRouteComponent(() => orOffline(() => import("../features/my-agents/agent-page.tsx")), "MyAgentPage"),
  ),
});

const mandate = createRoute({
  getParentRoute: () => root,
  path: "/agents/$kind/$id/mandate",
  validateSearch: (search): { readonly request?: string; readonly replaces?: string } => ({
    request: text(search["request"]),
    replaces: text(search["replaces"]),
  }),
  component: signedIn(
    lazyRouteComponent(
      () => orOffline(() => import("../features/my-agents/mandate-page.tsx")),
      "MandatePage",
    ),
  ),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$address",
  component: lazyRouteComponent(
    () => orOffline(() => import("../features/agents/agent-page.tsx")),
    "AgentPage",
  ),
});

const agentTransaction = createRoute({
  getParentRoute: () => root,
  path: "/agents/$address/transactions/$requestHash",
  component: lazyRouteComponent(
    () => orOffline(() => import("../features/agents/agent-transaction-page.tsx")),
    "AgentTransactionPage",
  ),
});

const tryIt = createRoute({
  getParentRoute: () => root,
  path: "/try",
  component: lazyRouteComponent(() => orOffline(() => import("../features/try/try-page.tsx")), "TryPage"),
});

const routeTree = root.addChildren([
  ...[home, signIn, connect, consent, inbox, transaction],
  ...[access, settings, custody, notifications, myAgents, myAgent, mandate, agent, agentTransaction, tryIt],
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
  // Keeps search parameters as strings: the router's default parses a code of digits as a number and loses precision.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const written = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) =>
        typeof value === "string" && value !== "" ? [[name, value]] : [],
      ),
    ).toString();
    return written === "" ? "" : `?${written}`;
  },
});

declare module "@tanstack/react-router" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the router's own way to know its routes
  interface Register {
    router: typeof router;
  }
}
