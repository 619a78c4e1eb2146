import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../components/button.tsx";
import { Page } from "../components/page.tsx";

export function NotFound(): JSX.Element {
  return (
    <Page
      title="There is no such page"
      lead="The address may be incomplete, or from another version of these pages."
    >
      <Link to="/" className={buttonClass("primary")}>
        To the first page
      </Link>
    </Page>
  );
}
