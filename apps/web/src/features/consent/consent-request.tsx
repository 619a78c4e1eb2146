import type { Api } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Countdown } from "../../components/countdown.tsx";
import { Facts, type Fact } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { problemOf } from "../../lib/errors.ts";
import { sessionQuery } from "../../lib/session.ts";

export type Answer = "allow" | "deny";

type Request = { readonly request: Api.ConsentRequest };

/** Shows whether the app's name is verified: a metadata document vouches for the host, a registration for nothing. */
function Standing({ request: { client } }: Request): JSX.Element {
  return client.registration === "metadata-document" && client.clientIdHost !== null ? (
    <Badge tone="waiting">
      from <Text>{client.clientIdHost}</Text>
    </Badge>
  ) : (
    <Badge tone="open">Not verified</Badge>
  );
}

function WhoAsks({ request }: Request): JSX.Element {
  const { data: session } = useQuery(sessionQuery);
  const { client, redirectHost, redirectUri, resource, createdAt, expiresAt } = request;
  const facts: readonly Fact[] = [
    [
      "Calls itself",
      <Text key="name" className="font-semibold">
        {client.clientName}
      </Text>,
    ],
    ...(client.clientUri === null
      ? []
      : [["Website it gives", <Text key="uri">{client.clientUri}</Text>] satisfies Fact]),
    [
      "Returns to",
      <Text key="host" className="font-mono font-semibold">
        {redirectHost}
      </Text>,
    ],
    [
      "Full address",
      <Text key="redirect" className="font-mono text-xs">
        {redirectUri}
      </Text>,
    ],
    [
      "For",
      <Text key="resource" className="font-mono text-xs">
        {resource}
      </Text>,
    ],
    ["Account", session == null ? "…" : <Hex key="account" value={session.address} label="your account" />],
    ["Asked", <Time key="asked" at={createdAt} />],
    ["Expires in", <Countdown key="expires" until={expiresAt} />],
  ];
  return (
    <Card title="Who’s asking" aside={<Standing request={request} />}>
      <Facts facts={facts} />
      {client.registration === "dynamic" ? (
        <p className="mt-3 text-sm text-soft">
          Anyone can use any app name. Check where it returns to, and whether you started this.
        </p>
      ) : null}
    </Card>
  );
}

function Warnings({ request: { redirectIsLoopback, redirectIsPrivateUse } }: Request): JSX.Element | null {
  if (redirectIsLoopback)
    return (
      <Notice tone="open" title="Returns to an app on this computer">
        Allow it only if you just started it here. We can’t check which app it is.
      </Notice>
    );
  if (redirectIsPrivateUse)
    return (
      <Notice tone="open" title="Returns to an app on this device">
        Other apps can claim the same address. Allow it only if you just started this in an app you trust.
      </Notice>
    );
  return null;
}

function WhatItMay({ request: { scopes } }: Request): JSX.Element {
  return (
    <Card title="What it can do">
      <ul className="list-disc space-y-2 pl-5 text-sm">
        {scopes.map(({ name, description }) => (
          <li key={name}>
            <Text>{description}</Text>
            <span className="block font-mono text-xs text-soft">{name}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm font-semibold">
        It can never approve for you. You can remove it at any time.
      </p>
    </Card>
  );
}

type Props = Request & {
  readonly underWay: Answer | undefined;
  readonly problem: unknown;
  readonly onAnswer: (answer: Answer) => void;
};

/** Shows who is asking and what for. Both answers are equally easy to reach. */
export function ConsentRequest({ request, underWay, problem, onAnswer }: Props): JSX.Element {
  const titleOf = (error: unknown): string =>
    problemOf(error).isUnknown ? "We don’t know if your answer arrived" : "Couldn’t save your answer";
  return (
    <div className="space-y-4">
      <Warnings request={request} />
      <WhoAsks request={request} />
      <WhatItMay request={request} />
      <Card title="Your answer">
        {problem == null ? null : (
          <div className="mb-3">
            <ProblemNotice title={titleOf(problem)} error={problem} />
          </div>
        )}
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            isBusy={underWay === "deny"}
            disabled={underWay !== undefined}
            onClick={() => {
              onAnswer("deny");
            }}
          >
            Deny
          </Button>
          <Button
            look="primary"
            isBusy={underWay === "allow"}
            disabled={underWay !== undefined}
            onClick={() => {
              onAnswer("allow");
            }}
          >
            Allow
          </Button>
        </div>
      </Card>
    </div>
  );
}
