import type { ConnectionRequest } from "@countersign/sdk";
import { useQuery, type UseMutationResult } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Countdown } from "../../components/countdown.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { problemOf } from "../../lib/errors.ts";
import { sessionQuery } from "../../lib/session.ts";

function WhoAsks({ request }: { readonly request: ConnectionRequest }): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  const { userAgent, initiatorAddress, createdAt, expiresAt } = request;
  return (
    <Card title="Who’s asking">
      <Facts
        facts={[
          ["Calls itself", userAgent === "" ? "nothing" : <Text key="agent">{userAgent}</Text>],
          [
            "IP address",
            <Text key="ip" className="font-mono">
              {initiatorAddress}
            </Text>,
          ],
          ["Started", <Time key="started" at={createdAt} />],
          ["Expires in", <Countdown key="expires" until={expiresAt} />],
          [
            "Account",
            session == null ? "…" : <Hex key="account" value={session.address} label="your account" />,
          ],
        ]}
      />
    </Card>
  );
}

/** Fixed for every agent: the service grants these scopes to all connection codes. */
function WhatItMay(): JSX.Element {
  return (
    <Card title="What it can do">
      <ul className="list-disc space-y-1 pl-5 text-sm">
        <li>Propose transactions for your account.</li>
        <li>Read your transactions and their status.</li>
        <li>Add notes. They never count as your approval.</li>
      </ul>
      <p className="mt-3 text-sm font-semibold">
        It can never approve for you. You can remove it at any time.
      </p>
    </Card>
  );
}

type Props = {
  readonly request: ConnectionRequest;
  readonly approve: Pick<UseMutationResult<void>, "isPending" | "error"> & { readonly mutate: () => void };
  readonly onLeave: () => void;
};

/** Shows who is asking and what for, with the two answers. */
export function ConnectRequest({ request, approve, onLeave }: Props): JSX.Element {
  const [isSame, setSame] = useState(false);
  return (
    <div className="space-y-4">
      <Notice tone="open" title="Continue only if you just started this yourself">
        If someone sent you this link, close it. The person who started it would get the key.
      </Notice>
      <Card title="Does your agent show the same four characters?">
        <p className="rounded-xl bg-inset py-4 pl-[0.3em] text-center font-mono text-5xl font-bold tracking-[0.3em]">
          <Text>{request.codePrefix}</Text>
        </p>
      </Card>
      <WhoAsks request={request} />
      <WhatItMay />
      <Card title="Your answer">
        <div className="space-y-3">
          <Checkbox isChecked={isSame} onChange={setSame} isDisabled={approve.isPending}>
            I started this, and the characters match.
          </Checkbox>
          {approve.error === null ? null : (
            <ProblemNotice
              title={
                problemOf(approve.error).isUnknown
                  ? "We don’t know if the agent was connected"
                  : "Couldn’t connect the agent"
              }
              error={approve.error}
            />
          )}
          <div className="grid gap-2 sm:grid-cols-2">
            <Button onClick={onLeave} disabled={approve.isPending}>
              Don’t connect
            </Button>
            <Button
              look="primary"
              disabled={!isSame}
              isBusy={approve.isPending}
              onClick={() => {
                approve.mutate();
              }}
            >
              Connect agent
            </Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
