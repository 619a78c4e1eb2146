import type { Api } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Facts } from "../../components/facts.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { grantsQuery, removeAgent } from "../../lib/agents.ts";
import { Scopes } from "./scopes.tsx";

/** A client ID metadata document has a host; a registered client has an opaque ID. */
const hostOf = (clientId: string): string | undefined =>
  clientId.startsWith("https://") && URL.canParse(clientId) ? new URL(clientId).host : undefined;

type RowProps = { readonly grant: Api.OAuthGrant; readonly onEnd: () => void };

function Row({ grant, onEnd }: RowProps): JSX.Element {
  const { clientName, clientId, redirectHost, scopes, createdAt, lastUsedAt } = grant;
  const host = hostOf(clientId);
  const id = useId();
  return (
    <li className="space-y-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="min-w-0 font-semibold">
          <Text>{clientName}</Text>
        </h3>
        <Button id={`${id}-end`} aria-labelledby={`${id}-end ${id}`} onClick={onEnd}>
          Remove access
        </Button>
      </div>
      <Facts
        facts={[
          [
            "Publisher",
            host === undefined ? "Unknown. The name isn’t verified." : <Text key="host">{host}</Text>,
          ],
          [
            "Returns to",
            redirectHost == null ? (
              "Unknown"
            ) : (
              <Text key="at" className="font-mono">
                {redirectHost}
              </Text>
            ),
          ],
          ["Can", <Scopes key="scopes" scopes={scopes} />],
          ["Connected", <Time key="created" at={createdAt} />],
          ["Last used", <Time key="used" at={lastUsedAt} />],
        ]}
      />
    </li>
  );
}

function Ending({
  grant,
  onClose,
}: {
  readonly grant: Api.OAuthGrant | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: async () => {
      if (grant !== undefined) await removeAgent({ kind: "oauth", id: grant.id });
    },
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  });
  return (
    <Confirm
      isOpen={grant !== undefined}
      title="Remove access?"
      action="Remove access"
      doing={end}
      onClose={onClose}
    >
      <p>
        <Text className="font-semibold">{grant?.clientName ?? ""}</Text> loses access to your account at once.
      </p>
      <p>To use it again, connect it again.</p>
    </Confirm>
  );
}

/** Apps that were connected through the browser (OAuth). */
export function Grants(): JSX.Element {
  const { data, error, isPending } = useQuery(grantsQuery);
  const [ending, setEnding] = useState<Api.OAuthGrant>();
  if (isPending) return <Loading what="connected apps" />;
  return (
    <Card title="Connected apps">
      {error === null ? null : <ProblemNotice title="Couldn’t load the list" error={error} />}
      {data?.length === 0 ? <p className="text-sm text-soft">No apps connected yet.</p> : null}
      <ul className="divide-y divide-line">
        {data?.map((grant) => (
          <Row
            key={grant.id}
            grant={grant}
            onEnd={() => {
              setEnding(grant);
            }}
          />
        ))}
      </ul>
      <Ending
        grant={ending}
        onClose={() => {
          setEnding(undefined);
        }}
      />
    </Card>
  );
}
