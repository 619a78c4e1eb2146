import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import type { JSX } from "react";
import { usePendingCount } from "../lib/pending-count.ts";
import { sessionQuery } from "../lib/session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { AutomaticBanner } from "./automatic-banner.tsx";
import { Footer } from "./footer.tsx";
import { LiveState } from "./live-state.tsx";

const item =
  "inline-flex min-h-11 shrink-0 items-center rounded-lg px-2 text-sm font-semibold whitespace-nowrap text-soft sm:px-3 hover:bg-inset hover:text-ink aria-[current=page]:bg-inset aria-[current=page]:text-ink";

function PendingCount(): JSX.Element | null {
  const count = usePendingCount();
  if (count === 0) return null;
  return (
    <span aria-hidden className="ml-2 rounded-full bg-accent px-2 py-0.5 text-xs text-on-accent">
      {count}
    </span>
  );
}

/** The layout around every page. */
export function Shell(): JSX.Element {
  const { data: session, isPending } = useQuery(sessionQuery);
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-3 sm:px-6">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:rounded-lg focus:bg-card focus:p-3"
      >
        Skip to content
      </a>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-2">
        <Link to="/" className="mr-2 inline-flex min-h-11 items-center gap-2 font-bold tracking-tight">
          <img src="/icon.svg" alt="" className="size-7" />
          Countersign
        </Link>
        <nav
          aria-label="Pages"
          className="order-last flex w-full gap-1 overflow-x-auto sm:order-none sm:w-auto"
        >
          {session == null ? null : (
            <>
              <Link to="/transactions" className={item}>
                Inbox
                <PendingCount />
              </Link>
              <Link to="/agents" className={item}>
                Agents
              </Link>
              <Link to="/settings" className={item}>
                Settings
              </Link>
            </>
          )}
          <Link to="/try" className={item}>
            Try it
          </Link>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          {/* Renders nothing until the session is known. */}
          {isPending ? null : session == null ? (
            <Link to="/sign-in" className={item}>
              Sign in
            </Link>
          ) : (
            <AccountMenu address={session.address} />
          )}
        </div>
      </header>
      {session == null ? null : (
        <>
          <LiveState account={session.address} />
          <AutomaticBanner />
        </>
      )}
      <main id="content" className="flex-1 py-5 sm:py-7">
        <Outlet />
      </main>
      <Footer isSignedIn={session != null} />
    </div>
  );
}
