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

/** How far the name can be believed: a document says that a host stands behind it, a registration says nothing. */
function Standing({ request: { client } }: Request): JSX.Element {
  return client.registration === "metadata-document" && client.clientIdHost !== null ? (
    <Badge tone="waiting">
      described by <Text>{client.clientIdHost}</Text>
    </Badge>
  ) : (
    <Badge tone="open">not verified</Badge>
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
      : [["Says it is from", <Text key="uri">{client.clientUri}</Text>] satisfies Fact]),
    [
      "The answer goes to",
      <Text key="host" className="font-mono font-semibold">
        {redirectHost}
      </Text>,
    ],
    [
      "In full",
      <Text key="redirect" className="font-mono text-xs">
        {redirectUri}
      </Text>,
    ],
    [
      "Wants to use",
      <Text key="resource" className="font-mono text-xs">
        {resource}
      </Text>,
    ],
    [
      "For the account",
      session == null ? "…" : <Hex key="account" value={session.address} label="your account" />,
    ],
    ["Asked", <Time key="asked" at={createdAt} />],
    ["Expires in", <Countdown key="expires" until={expiresAt} />],
  ];
  return (
    <Card title="Who asks" aside={<Standing request={request} />}>
      <Facts facts={facts} />
      {client.registration === "dynamic" ? (
        <p className="mt-3 text-sm text-soft">
          Anybody can register a program under any name. Go by where the answer goes, and by whether you
          started this.
        </p>
      ) : null}
    </Card>
  );
}

function Warnings({ request: { redirectIsLoopback, redirectIsPrivateUse } }: Request): JSX.Element | null {
  if (redirectIsLoopback)
    return (
      <Notice tone="open" title="The answer goes to a program on this machine">
        Allow it only if you have just started that program here yourself. Which one it is cannot be checked.
      </Notice>
    );
  if (redirectIsPrivateUse)
    return (
      <Notice tone="open" title="The answer goes to an application on this device">
        Any application can take over such an address. Allow it only if you have just started this in one that
        you trust.
      </Notice>
    );
  return null;
}

function WhatItMay({ request: { scopes } }: Request): JSX.Element {
  return (
    <Card title="What it will be able to do">
      <ul className="list-disc space-y-2 pl-5 text-sm">
        {scopes.map(({ name, description }) => (
          <li key={name}>
            <Text>{description}</Text>
            <span className="block font-mono text-xs text-soft">{name}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm font-semibold">
        It can never approve for you, and you can take its access back at any time.
      </p>
    </Card>
  );
}

type Props = Request & {
  readonly underWay: Answer | undefined;
  readonly problem: unknown;
  readonly onAnswer: (answer: Answer) => void;
};

/** What a person must see before they answer, and the two answers, as easy to reach as each other. */
export function ConsentRequest({ request, underWay, problem, onAnswer }: Props): JSX.Element {
  const titleOf = (error: unknown): string =>
    problemOf(error).isUnknown ? "Whether your answer arrived is not known" : "Your answer was not taken";
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
