import type { JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { counted } from "../../lib/format.ts";
import type { Receiver } from "./receivers.ts";

export function HealthBadge({ receiver }: { readonly receiver: Receiver }): JSX.Element {
  const { active, confirmed, health } = receiver;
  if (health.status === "DISABLED") return <Badge tone="bad">Turned off by us</Badge>;
  if (!active) return <Badge tone="over">Off</Badge>;
  if (!confirmed) return <Badge tone="open">Not confirmed</Badge>;
  if (health.status === "FAILING") return <Badge tone="bad">Failing</Badge>;
  return health.lastDeliveredAt === null ? (
    <Badge tone="none">No messages yet</Badge>
  ) : (
    <Badge tone="good">Working</Badge>
  );
}

/** Says what happened last, and what happens next. */
export function HealthLine({ receiver }: { readonly receiver: Receiver }): JSX.Element | null {
  const { disabledReason, health } = receiver;
  const { status, failingSince, lastError, lastDeliveredAt, pending, nextAttemptAt } = health;
  if (status === "DISABLED")
    return (
      <p className="text-sm text-bad">
        {disabledReason === null ? null : <Text>{disabledReason}</Text>}. Turn it on to try again, or delete
        it.
      </p>
    );
  if (status === "FAILING")
    return (
      <p className="text-sm text-bad">
        Fails since {failingSince === null ? "a while" : <Time at={failingSince} />}
        {lastError === null ? null : (
          <>
            {": "}
            <Text>{lastError}</Text>
          </>
        )}
        . {pending === 0 ? null : `${counted(pending, "message waits", "messages wait")}. `}
        {nextAttemptAt === null ? null : (
          <>
            Next attempt <Time at={nextAttemptAt} />.
          </>
        )}
      </p>
    );
  if (pending > 0)
    return (
      <p className="text-sm text-soft">
        {counted(pending, "message waits", "messages wait")}
        {nextAttemptAt === null ? (
          "."
        ) : (
          <>
            , sent <Time at={nextAttemptAt} />.
          </>
        )}
      </p>
    );
  return lastDeliveredAt === null ? null : (
    <p className="text-sm text-soft">
      Last delivered <Time at={lastDeliveredAt} />.
    </p>
  );
}
