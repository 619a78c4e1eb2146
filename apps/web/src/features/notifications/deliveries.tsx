import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, type JSX } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { counted, shortHex } from "../../lib/format.ts";
import { messageName } from "./names.ts";
import { Problem } from "./problems.tsx";
import { callsOf, deliveriesQuery, useChange, type Delivery, type Receiver } from "./receivers.ts";

const states: Readonly<Record<Delivery["status"], readonly [tone: Tone, name: string]>> = {
  PENDING: ["waiting", "Waiting"],
  DELIVERED: ["good", "Delivered"],
  FAILED: ["bad", "Not delivered"],
};

function Outcome({ delivery }: { readonly delivery: Delivery }): JSX.Element | null {
  const { attempts, error, durationMs, status } = delivery;
  if (attempts === 0) return null;
  return (
    <span className="text-soft">
      {counted(attempts, "attempt")}
      {status === "DELIVERED" && durationMs !== null ? `, ${durationMs} ms` : null}
      {error === null ? null : (
        <>
          {": "}
          <Text>{error}</Text>
        </>
      )}
    </span>
  );
}

function Row({
  receiver,
  delivery,
}: {
  readonly receiver: Receiver;
  readonly delivery: Delivery;
}): JSX.Element {
  const id = useId();
  const { type, status, requestHash, createdAt } = delivery;
  const [tone, name] = states[status];
  const again = useChange(async () => {
    await callsOf(receiver).redeliver(receiver.id, delivery.id);
  });
  return (
    <li className="space-y-2 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div id={id} className="min-w-0 space-y-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">{messageName(type)}</span>
            <Badge tone={tone}>{name}</Badge>
            <Time at={createdAt} />
          </p>
          <p className="flex flex-wrap gap-x-3">
            {requestHash === null ? null : (
              <Link
                to="/transactions/$requestHash"
                params={{ requestHash }}
                className="font-mono text-xs text-accent underline underline-offset-4"
              >
                {shortHex(requestHash)}
              </Link>
            )}
            <Outcome delivery={delivery} />
          </p>
        </div>
        {status === "PENDING" || requestHash === null ? null : (
          <Button
            id={`${id}-again`}
            aria-labelledby={`${id}-again ${id}`}
            isBusy={again.isPending}
            onClick={() => {
              again.mutate();
            }}
          >
            Deliver again
          </Button>
        )}
      </div>
      <Problem title="Couldn’t deliver it again" error={again.error} />
    </li>
  );
}

/** The messages of a receiver in the last 30 days, newest first. */
export function Deliveries({ receiver }: { readonly receiver: Receiver }): JSX.Element {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(receiver),
  );
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  if (isPending) return <Loading what="the deliveries" lines={2} />;
  return (
    <div className="space-y-2">
      <Problem title="Couldn’t load the deliveries" error={error} />
      {deliveries.length === 0 && error === null ? (
        <p className="text-sm text-soft">No messages in the last 30 days.</p>
      ) : null}
      <ul className="divide-y divide-line">
        {deliveries.map((delivery) => (
          <Row key={delivery.id} receiver={receiver} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage ? (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older ones
        </Button>
      ) : null}
    </div>
  );
}
