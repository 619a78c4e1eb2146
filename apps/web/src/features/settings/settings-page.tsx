import { Link } from "@tanstack/react-router";
import { lazy, Suspense, type JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Execution } from "./execution.tsx";
import { PublicProfile } from "./public-profile.tsx";
import { Quorums } from "./quorums.tsx";
import { Sessions } from "./sessions.tsx";

const AddressBook = lazy(async () => ({ default: (await import("./address-book.tsx")).AddressBook }));

export function SettingsPage(): JSX.Element {
  return (
    <Page title="Settings">
      <Execution />
      <Card title="Notifications">
        <p className="mb-3 text-sm text-soft">
          Be told by push, e-mail, chat or webhook when a proposal needs you.
        </p>
        <Link to="/settings/notifications" className={buttonClass("plain")}>
          Set up notifications
        </Link>
      </Card>
      <Card title="Custody">
        <p className="mb-3 text-sm text-soft">
          Send from a vault at your custodian. We never hold the vault’s key.
        </p>
        <Link to="/settings/custody" className={buttonClass("plain")}>
          Set up custody
        </Link>
      </Card>
      <Suspense fallback={<Loading what="your address book" lines={2} />}>
        <AddressBook />
      </Suspense>
      <Quorums />
      <PublicProfile />
      <Sessions />
    </Page>
  );
}
