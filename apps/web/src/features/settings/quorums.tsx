import { ApiError, type Api } from "@countersign/sdk";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Facts } from "../../components/facts.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { api } from "../../lib/api.ts";
import { QuorumForm } from "./quorum-form.tsx";

type QuorumType = Api.ProviderQuorum["type"];

/** Returns null if no quorum of that type is set. */
const quorumQuery = (type: QuorumType) =>
  queryOptions({
    queryKey: ["quorum", type],
    queryFn: async ({ signal }): Promise<Api.ProviderQuorum | null> => {
      try {
        return (await api.request<Api.ProviderQuorum>(`/settings/provider-quorum/${type}`, { signal })).body;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

const told: Readonly<Record<QuorumType, readonly [title: string, what: string]>> = {
  agent: ["For your agents", "Signs what is approved without you."],
  execution: ["For what you send", "Signs what you approve yourself."],
};

function Shown({ quorum }: { readonly quorum: Api.ProviderQuorum }): JSX.Element {
  const { displayName, quorumId, threshold, p256PublicKeys } = quorum;
  return (
    <div className="space-y-2">
      <Facts
        facts={[
          ["Name", <Text key="name">{displayName}</Text>],
          [
            "ID at the provider",
            <Text key="id" className="font-mono text-xs">
              {quorumId}
            </Text>,
          ],
          ["Signatures needed", `${threshold} of ${p256PublicKeys.length}`],
          [
            "Whose keys",
            quorum.static
              ? "this service’s key: it can send without you"
              : "your keys: this service can’t send",
          ],
        ]}
      />
      <Disclosure summary="Public keys">
        <ul className="space-y-2">
          {p256PublicKeys.map((key) => (
            <li key={key} className="rounded-lg bg-inset p-3 font-mono text-xs">
              <Text lines>{key.trim()}</Text>
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}

function Forget({ type }: { readonly type: QuorumType }): JSX.Element {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  const forget = useMutation({
    mutationFn: async () => {
      await api.request(`/settings/provider-quorum/${type}`, { method: "DELETE" });
    },
    onSuccess: close,
    onSettled: () => client.invalidateQueries({ queryKey: ["quorum", type] }),
  });
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        Delete
      </Button>
      <Confirm
        isOpen={isOpen}
        title="Delete these signing keys?"
        action="Delete keys"
        doing={forget}
        onClose={close}
      >
        <p>We delete them here and, if possible, at the wallet provider. Nothing more is sent with them.</p>
      </Confirm>
    </>
  );
}

function Quorum({ type }: { readonly type: QuorumType }): JSX.Element {
  const { data, error, isPending } = useQuery(quorumQuery(type));
  const [title, what] = told[type];
  if (isPending) return <Loading what="your signing keys" lines={2} />;
  return (
    <Card
      title={title}
      level={3}
      aside={data == null ? <Badge tone="none">Not set</Badge> : <Badge tone="good">Set</Badge>}
    >
      <div className="space-y-3">
        <p className="text-sm text-soft">{what}</p>
        {error === null ? null : <ProblemNotice title="Couldn’t load the signing keys" error={error} />}
        {data == null ? null : <Shown quorum={data} />}
        {data === undefined ? null : (
          <Disclosure summary={data === null ? "Set up" : "Replace"}>
            <QuorumForm type={type} current={data} />
          </Disclosure>
        )}
        {data == null ? null : <Forget type={type} />}
      </div>
    </Card>
  );
}

/** The signing keys of the account's wallets at a wallet provider. */
export function Quorums(): JSX.Element {
  return (
    <Card title="Wallet provider">
      <div className="space-y-3">
        <Notice tone="none">
          Only for wallets at a provider that needs several keys to sign. You don’t need this for your own
          wallet.
        </Notice>
        <div className="grid gap-3 sm:grid-cols-2">
          <Quorum type="agent" />
          <Quorum type="execution" />
        </div>
      </div>
    </Card>
  );
}
