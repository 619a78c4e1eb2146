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
import { endGrant, grantsQuery } from "./queries.ts";
import { Scopes } from "./scopes.tsx";

/** A client that is named by the address of its document has a host; another has a number of ours. */
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
          Take access back
        </Button>
      </div>
      <Facts
        facts={[
          [
            "Described by",
            host === undefined ? "itself; nobody vouches for its name" : <Text key="host">{host}</Text>,
          ],
          [
            "Your answer went to",
            redirectHost == null ? (
              "not known"
            ) : (
              <Text key="at" className="font-mono">
                {redirectHost}
              </Text>
            ),
          ],
          ["May", <Scopes key="scopes" scopes={scopes} />],
          ["Let in", <Time key="created" at={createdAt} />],
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
      if (grant !== undefined) await endGrant(grant.id);
    },
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  });
  return (
    <Confirm
      isOpen={grant !== undefined}
      title="Take this access back?"
      action="Take access back"
      doing={end}
      onClose={onClose}
    >
      <p>
        <Text className="font-semibold">{grant?.clientName ?? ""}</Text> can then do nothing for your account
        any more.
      </p>
      <p>It takes effect at once: its tokens end. To let it in again, connect it again.</p>
    </Confirm>
  );
}

/** The programs that were let in through the browser. */
export function Grants(): JSX.Element {
  const { data, error, isPending } = useQuery(grantsQuery);
  const [ending, setEnding] = useState<Api.OAuthGrant>();
  if (isPending) return <Loading what="which programs you let in" />;
  return (
    <Card title="Programs you let in">
      {error === null ? null : <ProblemNotice title="The list could not be read" error={error} />}
      {data?.length === 0 ? (
        <p className="text-sm text-soft">
          None. A program that connects through your browser will be listed here.
        </p>
      ) : null}
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
