import type { ErrorComponentProps } from "@tanstack/react-router";
import type { JSX } from "react";
import { Button } from "../components/button.tsx";
import { Page } from "../components/page.tsx";

/** Shown if a page fails: usually its code could not be loaded, because the browser is offline. */
export function PageProblem({ reset }: ErrorComponentProps): JSX.Element {
  return (
    <Page
      title="This page couldn’t load"
      lead={
        navigator.onLine
          ? "Try again. If it stays like this, reload the browser tab."
          : "You’re offline. Other pages that were open before still work."
      }
    >
      <Button
        look="primary"
        onClick={() => {
          // A browser remembers a module that failed to load, so only a reload fetches it again.
          if (navigator.onLine) location.reload();
          else reset();
        }}
      >
        Try again
      </Button>
    </Page>
  );
}
