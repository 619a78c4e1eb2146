import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { AddReceiver } from "./add-receiver.tsx";
import { Problem } from "./problems.tsx";
import { ReceiverRow } from "./receiver-row.tsx";
import { endpointQuery, isThisBrowser, receiversQuery } from "./receivers.ts";

function Receivers(): JSX.Element {
  const { data, error, isPending } = useQuery(receiversQuery);
  const { data: endpoint } = useQuery(endpointQuery);
  if (isPending) return <Loading what="your channels" lines={6} />;
  return (
    <Card title="Where we notify you" aside={<AddReceiver />}>
      <Problem title="Couldn’t load your channels" error={error} />
      {data?.length === 0 ? (
        <p className="text-sm text-soft">
          Nowhere yet. Without a channel you learn of a proposal only while this app is open, and it may
          expire.
        </p>
      ) : null}
      <ul className="divide-y divide-line">
        {data?.map((receiver) => (
          <ReceiverRow key={receiver.id} receiver={receiver} isHere={isThisBrowser(receiver, endpoint)} />
        ))}
      </ul>
    </Card>
  );
}

/** Where and when the owner is told about proposals. */
export function NotificationsPage(): JSX.Element {
  return (
    <Page
      title="Notifications"
      lead="Hear about proposals in time. A message never decides anything: it opens the page on which you do."
      aside={
        <Link to="/settings" className="text-sm font-semibold text-accent underline-offset-4 hover:underline">
          Back to settings
        </Link>
      }
    >
      <Receivers />
    </Page>
  );
}
