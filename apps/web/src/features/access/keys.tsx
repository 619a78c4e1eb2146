import type { ListedApiKey } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { counted } from "../../lib/format.ts";
import { KeyRow } from "./key-row.tsx";
import { NewKey } from "./new-key.tsx";
import { keysQuery } from "../../lib/agents.ts";
import { useRevokeKey } from "./queries.ts";
import { RotateKey } from "./rotate-key.tsx";

type Doing = { readonly what: "rotate" | "revoke"; readonly key: ListedApiKey };

type RevokingProps = { readonly old: ListedApiKey; readonly isOpen: boolean; readonly onClose: () => void };

function Revoking({ old, isOpen, onClose }: RevokingProps): JSX.Element {
  const revoke = useRevokeKey(old, onClose);
  return (
    <Confirm isOpen={isOpen} title="Revoke this key?" action="Revoke key" doing={revoke} onClose={onClose}>
      <p>
        Programs that use <Text className="font-semibold">{old.name}</Text> (
        <Text className="font-mono">{old.prefix}</Text>…) stop working at once.
      </p>
      <p>You can’t undo this. Earlier proposals stay.</p>
    </Confirm>
  );
}

function Lists({
  keys,
  onDo,
}: {
  readonly keys: readonly ListedApiKey[];
  readonly onDo: (doing: Doing) => void;
}): JSX.Element {
  const [active, revoked] = [keys.filter((key) => key.active), keys.filter((key) => !key.active)];
  return (
    <>
      {active.length === 0 ? <p className="text-sm text-soft">No active keys.</p> : null}
      <ul className="divide-y divide-line">
        {active.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            onRotate={() => {
              onDo({ what: "rotate", key });
            }}
            onRevoke={() => {
              onDo({ what: "revoke", key });
            }}
          />
        ))}
      </ul>
      {revoked.length === 0 ? null : (
        <Disclosure summary={counted(revoked.length, "revoked key")}>
          <ul className="divide-y divide-line">
            {revoked.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

/** The account's API keys. */
export function Keys(): JSX.Element {
  const { data, error, isPending } = useQuery(keysQuery);
  const [doing, setDoing] = useState<Doing>();
  // Keeps the last action while the dialog closes, so that focus returns to its button.
  const [isOpen, setOpen] = useState(false);
  const onClose = (): void => {
    setOpen(false);
  };
  if (isPending) return <Loading what="your keys" />;
  return (
    <Card title="API keys" aside={<NewKey />}>
      {error === null ? null : <ProblemNotice title="Couldn’t load the list" error={error} />}
      {data === undefined ? null : (
        <Lists
          keys={data}
          onDo={(next) => {
            setDoing(next);
            setOpen(true);
          }}
        />
      )}
      {doing?.what === "rotate" ? (
        <RotateKey key={doing.key.id} old={doing.key} {...{ isOpen, onClose }} />
      ) : null}
      {doing?.what === "revoke" ? (
        <Revoking key={doing.key.id} old={doing.key} {...{ isOpen, onClose }} />
      ) : null}
    </Card>
  );
}
