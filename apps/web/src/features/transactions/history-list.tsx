import type { JSX } from "react";
import { ToneIcon } from "../../components/badge.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import type { HistoryEvent } from "./history-events.ts";

function Event({ event }: { readonly event: HistoryEvent }): JSX.Element {
  const { tone, who, what, how, at, text } = event;
  return (
    <li className="flex gap-3">
      <ToneIcon tone={tone} className="mt-0.5" />
      <div className="min-w-0 flex-1 text-sm">
        <p>
          <span className="font-semibold">
            <Text>{who}</Text> {what}
          </span>{" "}
          <span className="text-soft">
            <Time at={at} />
            {how === undefined ? null : (
              <>
                , <Text>{how}</Text>
              </>
            )}
          </span>
        </p>
        {text === undefined ? null : (
          <Disclosure summary="Details">
            <Text lines className="text-sm">
              {text}
            </Text>
          </Disclosure>
        )}
      </div>
    </li>
  );
}

export function HistoryList({ events }: { readonly events: readonly HistoryEvent[] }): JSX.Element {
  return (
    <ol className="space-y-3">
      {events.map((event) => (
        <Event key={event.key} event={event} />
      ))}
    </ol>
  );
}
