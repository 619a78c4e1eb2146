import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import type { JSX } from "react";
import { sessionQuery } from "../lib/session.ts";
import { AccountMenu } from "./account-menu.tsx";
import { LiveState } from "./live-state.tsx";

const item =
  "inline-flex min-h-11 items-center rounded-lg px-3 text-sm font-semibold text-soft hover:bg-inset hover:text-ink aria-[current=page]:bg-inset aria-[current=page]:text-ink";

/** The layout around every page. */
export function Shell(): JSX.Element {
  const { data: session, isPending } = useQuery(sessionQuery);
  return (
    <div className="mx-auto flex min-h-dvh max-w-5xl flex-col px-3 sm:px-6">
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
              </Link>
              <Link to="/access" className={item}>
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
      {session == null ? null : <LiveState account={session.address} />}
      <main id="content" className="flex-1 py-5 sm:py-7">
        <Outlet />
      </main>
      <footer className="border-t border-line py-4 text-xs text-soft">
        Agents can propose. They can never approve for you.
      </footer>
    </div>
  );
}
