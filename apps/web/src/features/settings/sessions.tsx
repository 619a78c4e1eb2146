import type { Api } from "@countersign/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { api } from "../../lib/api.ts";
import { signOut } from "../../lib/session.ts";
import { browserName } from "../../lib/user-agent.ts";

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async ({ signal }) =>
    (await api.request<Api.GetAuthSessionsResponse>("/auth/sessions", { signal })).body,
});

/** The last IP address that the server saw. Separate from the user agent, which is self-reported. */
function From({ address }: Pick<Api.Session, "address">): JSX.Element | null {
  if (address == null) return null;
  return (
    <>
      {" "}
      from <Text className="font-mono">{address}</Text>
    </>
  );
}

function Row({ session }: { readonly session: Api.Session }): JSX.Element {
  const client = useQueryClient();
  const id = useId();
  const end = useMutation({
    mutationFn: async () => {
      await api.request(`/auth/sessions/${encodeURIComponent(session.id)}`, { method: "DELETE" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <li className="space-y-2 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2 *:last:shrink-0 sm:flex-nowrap">
        <div id={id} className="min-w-0 space-y-1">
          {session.userAgent == null ? null : (
            <p className="font-semibold" title={session.userAgent}>
              <Text>{browserName(session.userAgent)}</Text>
            </p>
          )}
          <p>
            Signed in <Time at={session.createdAt} />, last used <Time at={session.lastUsedAt} />
            <From address={session.address} />
          </p>
        </div>
        {session.current ? (
          <Badge tone="good">This browser</Badge>
        ) : (
          <Button
            id={`${id}-end`}
            aria-labelledby={`${id}-end ${id}`}
            isBusy={end.isPending}
            onClick={() => {
              end.mutate();
            }}
          >
            Sign out
          </Button>
        )}
      </div>
      {end.error === null ? null : <ProblemNotice title="Couldn’t sign out that session" error={end.error} />}
    </li>
  );
}

function Everywhere(): JSX.Element {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const leave = useMutation({ mutationFn: () => signOut(client, { everywhere: true }) });
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        Sign out everywhere
      </Button>
      <Confirm
        isOpen={isOpen}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        doing={leave}
        onClose={() => {
          setOpen(false);
        }}
      >
        <p>Signs out every browser, including this one, and disconnects all connected apps.</p>
        <p>API keys keep working. Revoke them under Agents.</p>
      </Confirm>
    </>
  );
}

/** The owner's sessions. */
export function Sessions(): JSX.Element {
  const { data, error, isPending } = useQuery(sessionsQuery);
  if (isPending) return <Loading what="your sessions" />;
  return (
    <Card title="Sessions" aside={<Everywhere />}>
      {error === null ? null : <ProblemNotice title="Couldn’t load the list" error={error} />}
      <ul className="divide-y divide-line">
        {data?.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}
