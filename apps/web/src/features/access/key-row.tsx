import type { ListedApiKey } from "@countersign/sdk";
import { useId, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { useNow } from "../../lib/time.ts";
import { Scopes } from "./scopes.tsx";

/** Keys labelled "agent" come from a connection code; the owner created all others. */
const origin = (label: string): string => (label === "agent" ? "Connected agent" : "Created by you");

function State({ apiKey: { active, expiresAt } }: { readonly apiKey: ListedApiKey }): JSX.Element {
  const now = useNow(60_000);
  if (!active) return <Badge tone="over">Revoked</Badge>;
  if (expiresAt !== null && new Date(expiresAt) <= now) return <Badge tone="over">Expired</Badge>;
  return <Badge tone="good">Active</Badge>;
}

function LastUse({
  apiKey: { lastUsedAt, lastUsedAddress },
}: {
  readonly apiKey: ListedApiKey;
}): JSX.Element {
  if (lastUsedAt === null) return <>Never</>;
  return (
    <>
      <Time at={lastUsedAt} />
      {lastUsedAddress == null ? null : (
        <>
          {" "}
          from <Text className="font-mono">{lastUsedAddress}</Text>
        </>
      )}
    </>
  );
}

type Props = {
  readonly apiKey: ListedApiKey;
  readonly onRotate?: () => void;
  readonly onRevoke?: () => void;
};

/** One API key, without its secret. */
export function KeyRow({ apiKey, onRotate, onRevoke }: Props): JSX.Element {
  const { name, prefix, label, scopes, createdAt, expiresAt } = apiKey;
  const id = useId();
  return (
    <li className="space-y-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex min-w-0 flex-wrap items-center gap-2 font-semibold">
          <span id={id}>
            <Text>{name}</Text>
          </span>
          <State apiKey={apiKey} />
        </h3>
        {onRotate === undefined ? null : (
          <div className="flex gap-2">
            <Button id={`${id}-rotate`} aria-labelledby={`${id}-rotate ${id}`} onClick={onRotate}>
              Rotate
            </Button>
            <Button id={`${id}-revoke`} aria-labelledby={`${id}-revoke ${id}`} onClick={onRevoke}>
              Revoke
            </Button>
          </div>
        )}
      </div>
      <Facts
        facts={[
          [
            "Starts with",
            <Text key="prefix" className="font-mono">
              {prefix}
            </Text>,
          ],
          ["Origin", origin(label)],
          ["Can", <Scopes key="scopes" scopes={scopes} />],
          ["Created", <Time key="made" at={createdAt} />],
          ["Last used", <LastUse key="used" apiKey={apiKey} />],
          ["Expires", expiresAt === null ? "Never" : <Time key="expires" at={expiresAt} />],
        ]}
      />
    </li>
  );
}
