// All routes. Each page is loaded on demand.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from "@tanstack/react-router";
import { prefetch } from "../lib/transactions.ts";
import { client } from "./client.ts";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";
import { signedIn } from "./signed-in.tsx";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
});

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("../features/home/home-page.tsx"), "HomePage"),
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
    lazyRouteComponent(() => import("../features/connect/connect-page.tsx"), "ConnectPage"),
  ),
});

const consent = createRoute({
  getParentRoute: () => root,
  path: "/oauth/consent",
  validateSearch: (search) => ({ session: text(search["session"]) }),
  component: signedIn(
    lazyRouteComponent(() => import("../features/consent/consent-page.tsx"), "ConsentPage"),
  ),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/transactions",
  component: signedIn(
    lazyRouteComponent(() => import("../features/transactions/inbox-page.tsx"), "InboxPage"),
  ),
});

const transaction = createRoute({
  getParentRoute: () => root,
  path: "/transactions/$requestHash",
  // Not for a preload on hover: these requests count against the account's rate limits.
  loader: ({ params: { requestHash }, preload }) => {
    if (!preload) prefetch(client, requestHash);
  },
  component: signedIn(
    lazyRouteComponent(() => import("../features/transactions/transaction-page.tsx"), "TransactionPage"),
  ),
});

const access = createRoute({
  getParentRoute: () => root,
  path: "/access",
  component: signedIn(lazyRouteComponent(() => import("../features/access/access-page.tsx"), "AccessPage")),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: signedIn(
    lazyRouteComponent(() => import("../features/settings/settings-page.tsx"), "SettingsPage"),
  ),
});

const custody = createRoute({
  getParentRoute: () => root,
  path: "/settings/custody",
  component: signedIn(
    lazyRouteComponent(() => import("../features/custody/custody-page.tsx"), "CustodyPage"),
  ),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$address",
  component: lazyRouteComponent(() => import("../features/agents/agent-page.tsx"), "AgentPage"),
});

const agentTransaction = createRoute({
  getParentRoute: () => root,
  path: "/agents/$address/transactions/$requestHash",
  component: lazyRouteComponent(
    () => import("../features/agents/agent-transaction-page.tsx"),
    "AgentTransactionPage",
  ),
});

const tryIt = createRoute({
  getParentRoute: () => root,
  path: "/try",
  component: lazyRouteComponent(() => import("../features/try/try-page.tsx"), "TryPage"),
});

const routeTree = root.addChildren([
  ...[home, signIn, connect, consent, inbox, transaction],
  ...[access, settings, custody, agent, agentTransaction, tryIt],
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
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
