import type { Settings } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Switch } from "../../components/switch.tsx";
import { api } from "../../lib/api.ts";
import { sessionQuery } from "../../lib/session.ts";
import { settingsQuery } from "../../lib/settings.ts";

function State({ isPublic }: { readonly isPublic: boolean }): JSX.Element {
  const address = useQuery(sessionQuery).data?.address;
  if (!isPublic) return <>Hidden. To others your address looks as if it had never been used here.</>;
  return (
    <>
      Anyone can see how many proposals matched, differed and were executed. Never requests or amounts.{" "}
      {address === undefined ? null : (
        <Link
          to="/agents/$address"
          params={{ address }}
          className="font-semibold text-accent underline underline-offset-4"
        >
          View it
        </Link>
      )}
    </>
  );
}

/** Shows or hides the account's results to others. Takes effect once the service has confirmed it. */
export function PublicProfile(): JSX.Element {
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(settingsQuery);
  const save = useMutation({
    mutationFn: (isPublic: boolean) => api.setPublicProfile(isPublic),
    onSuccess: (confirmed: Settings) => {
      client.setQueryData(settingsQuery.queryKey, confirmed);
    },
    onError: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  if (isPending) return <Loading what="your settings" lines={2} />;
  return (
    <Card title="Public profile">
      {error === null ? null : <ProblemNotice title="Couldn’t load this setting" error={error} />}
      {data === undefined ? null : (
        <div className="flex items-start justify-between gap-4">
          <p role="status" className="text-sm text-soft">
            <State isPublic={data.publicProfile} />
          </p>
          <Switch
            label="Show my public profile"
            isOn={data.publicProfile}
            isDisabled={save.isPending}
            onChange={(isPublic) => {
              save.mutate(isPublic);
            }}
          />
        </div>
      )}
      {save.error === null ? null : <ProblemNotice title="Couldn’t save the change" error={save.error} />}
    </Card>
  );
}
