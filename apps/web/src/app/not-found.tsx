import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../components/button.tsx";
import { Page } from "../components/page.tsx";

export function NotFound(): JSX.Element {
  return (
    <Page title="Page not found" lead="The link may be incomplete or out of date.">
      <Link to="/" className={buttonClass("primary")}>
        Go to home
      </Link>
    </Page>
  );
}
