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
  none: ["none", "not set up"],
  pending: ["waiting", "waits for the custodian’s API key"],
  active: ["good", "set up"],
};

function Status({ integration }: { readonly integration: Integration }): JSX.Element {
  const { data: config } = useQuery(configQuery);
  const { status, createdAt, vaultAccountId, environment, region, wallet, cosigner } = integration;
  const [tone, word] = states[status];
  const facts: readonly Fact[] = [
    ["Key made", createdAt === null ? "not yet" : <Time key="made" at={createdAt} />],
    [
      "Vault account",
      vaultAccountId === undefined ? "not known yet" : <Text key="vault">{vaultAccountId}</Text>,
    ],
    ["Custodian", environment === undefined ? "not known yet" : `${environment}, ${region ?? ""}`],
    [
      "Wallet",
      wallet === undefined ? (
        "not known yet, so nothing can be sent"
      ) : (
        <Hex key="wallet" value={wallet} label="the vault’s wallet" />
      ),
    ],
    ...(cosigner === undefined
      ? []
      : ([
          [
            "Co-signer asks at",
            <Text
              key="at"
              className="font-mono text-xs"
            >{`${config?.apiUrl ?? ""}${cosigner.callbackPath}`}</Text>,
          ],
          ["Co-signer’s key", cosigner.hasKey ? "known" : "none"],
        ] satisfies readonly Fact[])),
  ];
  return (
    <Card title="What the service has" aside={<Badge tone={tone}>{word}</Badge>}>
      {status === "none" ? (
        <p className="text-sm text-soft">Nothing yet. Begin with step 1.</p>
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
    done: <Badge tone="good">done</Badge>,
    now: <Badge tone="waiting">now</Badge>,
    later: null,
  }[state];
  return (
    <li>
      <Card title={`${number}. ${title}`} aside={badge}>
        {state === "later" ? <p className="text-sm text-soft">After the step before.</p> : children}
      </Card>
    </li>
  );
}

/** The request for the certificate, as a file. It holds no secret. */
function Csr({ csr, type }: { readonly csr: string; readonly type: IntegrationType }): JSX.Element {
  return (
    <div className="space-y-3 text-sm">
      <p>
        At the custodian, make an API user from this file. Give it a role that may start transactions and
        cannot sign any, and let your policy say who signs.
      </p>
      <a
        download={`countersign-${type}.csr`}
        href={`data:application/pkcs10;charset=utf-8,${encodeURIComponent(csr)}`}
        className={buttonClass("primary")}
      >
        Download the CSR
      </a>
      <Disclosure summary="Show it">
        <div className="flex gap-2 rounded-lg bg-inset p-3">
          <pre className="min-w-0 flex-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{csr}</pre>
          <CopyButton value={csr} label="Copy the CSR" />
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
      <Step number={1} title="A key, and the request for its certificate" state={isBegun ? "done" : "now"}>
        {isBegun ? (
          <Disclosure summary="Make another key">
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
        title="What the custodian gave you"
        state={!isBegun ? "later" : status === "active" ? "done" : "now"}
      >
        {status === "active" ? (
          <Disclosure summary="Save another API key or vault">
            <CredentialsForm type={type} current={integration} />
          </Disclosure>
        ) : (
          <CredentialsForm type={type} current={integration} />
        )}
      </Step>
      <Step number={4} title="Does it work?" state={status === "active" ? "now" : "later"}>
        <ConnectionTest type={type} />
      </Step>
    </ol>
  );
}

/** One integration: where it stands, and the four steps. */
export function IntegrationSetUp({ type }: { readonly type: IntegrationType }): JSX.Element {
  const { data, error, isPending } = useQuery(integrationQuery(type));
  if (isPending) return <Loading what="your custody integration" lines={5} />;
  return (
    <div className="space-y-4">
      {error === null ? null : <ProblemNotice title="Where it stands could not be read" error={error} />}
      {data === undefined ? null : (
        <>
          <Status integration={data} />
          <Steps type={type} integration={data} />
        </>
      )}
    </div>
  );
}
