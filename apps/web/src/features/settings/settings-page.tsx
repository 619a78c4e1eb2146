import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Page } from "../../components/page.tsx";
import { Execution } from "./execution.tsx";
import { Quorums } from "./quorums.tsx";
import { Sessions } from "./sessions.tsx";

/** What the owner has chosen, and where they are signed in. */
export function SettingsPage(): JSX.Element {
  return (
    <Page title="Settings" lead="Who sends what was approved, and where you are signed in.">
      <Execution />
      <Card title="Custody">
        <p className="mb-3 text-sm text-soft">
          Where your money is in a vault at a custodian, the service can have it sent from there. It never
          holds the vault’s key.
        </p>
        <Link to="/settings/custody" className={buttonClass("plain")}>
          Set up custody
        </Link>
      </Card>
      <Quorums />
      <Sessions />
    </Page>
  );
}
