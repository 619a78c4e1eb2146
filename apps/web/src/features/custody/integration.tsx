import { useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Facts, type Fact } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { configQuery } from "../../lib/config.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { CredentialsForm } from "./credentials-form.tsx";
import { integrationQuery, type Integration, type IntegrationType } from "./queries.ts";
import { SubjectForm } from "./subject-form.tsx";

const states: Readonly<Record<Integration["status"], readonly [Tone, string]>> = {
  none: ["none", "Not set up"],
  pending: ["waiting", "Needs the custodian’s API key"],
  active: ["good", "Set up"],
};

function Status({ integration }: { readonly integration: Integration }): JSX.Element {
  const { data: config } = useQuery(configQuery);
  const { status, createdAt, vaultAccountId, environment, region, wallet, cosigner } = integration;
  const [tone, word] = states[status];
  const facts: readonly Fact[] = [
    ["Key created", createdAt === null ? "Not yet" : <Time key="made" at={createdAt} />],
    ["Vault account", vaultAccountId === undefined ? "Unknown" : <Text key="vault">{vaultAccountId}</Text>],
    ["Custodian", environment === undefined ? "Unknown" : `${environment}, ${region ?? ""}`],
    [
      "Wallet",
      wallet === undefined ? (
        "Unknown, so nothing can be sent yet"
      ) : (
        <Hex key="wallet" value={wallet} label="the vault’s wallet" />
      ),
    ],
    ...(cosigner === undefined
      ? []
      : ([
          [
            "Co-signer callback",
            <Text
              key="at"
              className="font-mono text-xs"
            >{`${config?.apiUrl ?? ""}${cosigner.callbackPath}`}</Text>,
          ],
          ["Co-signer’s key", cosigner.hasKey ? "Saved" : "None"],
        ] satisfies readonly Fact[])),
  ];
  return (
    <Card title="Status" aside={<Badge tone={tone}>{word}</Badge>}>
      {status === "none" ? (
        <p className="text-sm text-soft">Not set up. Start with step 1.</p>
      ) : (
        <Facts facts={facts} />
      )}
    </Card>
  );
}

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly state: "done" | "now" | "later";
  readonly children: ReactNode;
};

function Step({ number, title, state, children }: StepProps): JSX.Element {
  const badge = {
    done: <Badge tone="good">Done</Badge>,
    now: <Badge tone="waiting">Now</Badge>,
    later: null,
  }[state];
  return (
    <li>
      <Card title={`${number}. ${title}`} aside={badge}>
        {state === "later" ? <p className="text-sm text-soft">Finish the previous step first.</p> : children}
      </Card>
    </li>
  );
}

/** The CSR as a file. It contains no secret. */
function Csr({ csr, type }: { readonly csr: string; readonly type: IntegrationType }): JSX.Element {
  return (
    <div className="space-y-3 text-sm">
      <p>
        At your custodian, create an API user with this file. Its role may start transactions but not sign
        them. Let your policy decide who signs.
      </p>
      <a
        download={`countersign-${type}.csr`}
        href={`data:application/pkcs10;charset=utf-8,${encodeURIComponent(csr)}`}
        className={buttonClass("primary")}
      >
        Download CSR
      </a>
      <Disclosure summary="Show CSR">
        <div className="flex gap-2 rounded-lg bg-inset p-3">
          <pre className="min-w-0 flex-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{csr}</pre>
          <CopyButton value={csr} label="Copy CSR" />
        </div>
      </Disclosure>
    </div>
  );
}

function Steps({
  type,
  integration,
}: {
  readonly type: IntegrationType;
  readonly integration: Integration;
}): JSX.Element {
  const { status, csr } = integration;
  const isBegun = status !== "none";
  return (
    <ol className="space-y-4">
      <Step number={1} title="Create a key" state={isBegun ? "done" : "now"}>
        {isBegun ? (
          <Disclosure summary="Create another key">
            <SubjectForm type={type} isReplacing />
          </Disclosure>
        ) : (
          <SubjectForm type={type} isReplacing={false} />
        )}
      </Step>
      <Step
        number={2}
        title="At the custodian"
        state={csr === null ? "later" : status === "active" ? "done" : "now"}
      >
        {csr === null ? null : <Csr csr={csr} type={type} />}
      </Step>
      <Step
        number={3}
        title="Enter the custodian’s details"
        state={!isBegun ? "later" : status === "active" ? "done" : "now"}
      >
        {status === "active" ? (
          <Disclosure summary="Change API key or vault">
            <CredentialsForm type={type} current={integration} />
          </Disclosure>
        ) : (
          <CredentialsForm type={type} current={integration} />
        )}
      </Step>
      <Step number={4} title="Test the connection" state={status === "active" ? "now" : "later"}>
        <ConnectionTest type={type} />
      </Step>
    </ol>
  );
}

/** The status of an integration, and its four setup steps. */
export function IntegrationSetUp({ type }: { readonly type: IntegrationType }): JSX.Element {
  const { data, error, isPending } = useQuery(integrationQuery(type));
  if (isPending) return <Loading what="your custody integration" lines={5} />;
  return (
    <div className="space-y-4">
      {error === null ? null : <ProblemNotice title="Couldn’t load the status" error={error} />}
      {data === undefined ? null : (
        <>
          <Status integration={data} />
          <Steps type={type} integration={data} />
        </>
      )}
    </div>
  );
}
