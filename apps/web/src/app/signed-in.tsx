import { useQuery } from "@tanstack/react-query";
import type { RouteComponent } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, type JSX } from "react";
import { Loading } from "../components/loading.tsx";
import { ProblemNotice } from "../components/notice.tsx";
import { sessionQuery } from "../lib/session.ts";

const SignInPage = lazy(async () => ({
  default: (await import("../features/sign-in/sign-in-page.tsx")).SignInPage,
}));

/** Wraps a page that needs a session: shows the sign-in page first if the user is not signed in. */
export function signedIn(Wanted: RouteComponent): RouteComponent {
  return function SignedIn(): JSX.Element {
    const { data, error, isPending } = useQuery(sessionQuery);
    // Preloads the page in parallel with the session request, since most visitors are signed in.
    useEffect(() => {
      void Wanted.preload?.();
    }, []);
    if (isPending) return <Loading what="your account" lines={6} />;
    if (data === undefined)
      return <ProblemNotice title="Signing in isn’t possible right now" error={error} />;
    return (
      <Suspense fallback={<Loading what="the page" lines={6} />}>
        {data === null ? <SignInPage /> : <Wanted />}
      </Suspense>
    );
  };
}
