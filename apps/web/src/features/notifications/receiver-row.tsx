import { Bell, Hash, Mail, MessageSquare, Send, Webhook as WebhookIcon, type LucideIcon } from "lucide-react";
import { useId, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Switch } from "../../components/switch.tsx";
import { Text } from "../../components/text.tsx";
import { api } from "../../lib/api.ts";
import { useAgentNames } from "../../lib/agents.ts";
import { unsubscribe } from "../../lib/push.ts";
import { ConfirmMail } from "./confirm-mail.tsx";
import { Deliveries } from "./deliveries.tsx";
import { HealthBadge, HealthLine } from "./health.tsx";
import { describeEvents, kindNames, type Kind } from "./names.ts";
import { PreferencesDialog } from "./preferences-dialog.tsx";
import { Problem } from "./problems.tsx";
import { callsOf, useChange, type Receiver } from "./receivers.ts";
import { Secret } from "./secret.tsx";

const icons: Readonly<Record<Kind, LucideIcon>> = {
  push: Bell,
  email: Mail,
  slack: Hash,
  discord: MessageSquare,
  telegram: Send,
  webhook: WebhookIcon,
};

type Props = { readonly receiver: Receiver; readonly isHere: boolean };

const nameOf = ({ receiver: { kind }, isHere }: Props): string =>
  kind === "push" && !isHere ? "Another browser" : kindNames[kind];

/** Which messages, about which agents, and when. */
function Summary({ receiver: { events, agents, rhythm } }: Pick<Props, "receiver">): JSX.Element {
  const agentName = useAgentNames();
  const { quietHours, timeZone, digest } = rhythm ?? {};
  return (
    <p className="text-sm text-soft">
      {describeEvents(events)}.{" "}
      {agents.length === 0 ? null : (
        <>
          Only <Text>{agents.map(agentName).join(", ")}</Text>.{" "}
        </>
      )}
      {digest == null ? null : digest === "hourly" ? "Together, every hour. " : "Together, at 08:00. "}
      {quietHours == null
        ? null
        : `Quiet from ${quietHours.from} to ${quietHours.until}, ${(timeZone ?? "").replaceAll("_", " ")}.`}
    </p>
  );
}

/** Sends a message now and reports what the receiver answered. */
function useTest(receiver: Receiver) {
  return useChange(() => callsOf(receiver).test(receiver.id));
}

function TestResult({ test }: { readonly test: ReturnType<typeof useTest> }): JSX.Element | null {
  if (test.error !== null) return <Problem title="Couldn’t send the test" error={test.error} />;
  if (test.data === undefined) return null;
  const { status, durationMs, error } = test.data;
  return status === "DELIVERED" ? (
    <Notice tone="good" live="polite" title="Test delivered">
      {durationMs === null ? null : `Accepted after ${durationMs} ms. Check that you see it.`}
    </Notice>
  ) : (
    <Notice tone="bad" live="assertive" title="Test not delivered">
      <Text>{`${error ?? "No answer"}. Check the address, then try again.`}</Text>
    </Notice>
  );
}

function Delete({ receiver, isHere, label }: Props & { readonly label: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  const remove = useChange(async () => {
    await callsOf(receiver).delete(receiver.id);
    if (isHere) await unsubscribe();
  }, close);
  return (
    <>
      <Button
        aria-label={`Delete ${label}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        Delete
      </Button>
      <Confirm isOpen={isOpen} title="Delete this channel?" action="Delete" doing={remove} onClose={close}>
        <p>
          No more messages go to <Text>{receiver.target}</Text>. Messages that wait for it are deleted, too.
        </p>
      </Confirm>
    </>
  );
}

/** Replaces a webhook's secret. The old one works for a day, so that a program can be changed in time. */
function Rotate({ id }: Pick<Receiver, "id">): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const rotate = useChange(() => api.webhooks.rotateSecret(id));
  const close = (): void => {
    setOpen(false);
    rotate.reset();
  };
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        New secret
      </Button>
      <Dialog isOpen={isOpen} title="New signing secret" onClose={close}>
        {rotate.data === undefined ? (
          <p className="text-sm">
            We sign with the new and the old secret for 24 hours. Then the old one stops working.
          </p>
        ) : (
          <Secret value={rotate.data.secret} />
        )}
        <Problem title="Couldn’t create a secret" error={rotate.error} />
        <DialogButtons>
          <Button onClick={close}>{rotate.data === undefined ? "Cancel" : "Done"}</Button>
          {rotate.data === undefined ? (
            <Button
              look="primary"
              isBusy={rotate.isPending}
              onClick={() => {
                rotate.mutate();
              }}
            >
              Create secret
            </Button>
          ) : null}
        </DialogButtons>
      </Dialog>
    </>
  );
}

function Actions({ receiver, isHere, label }: Props & { readonly label: string }): JSX.Element {
  const [isChanging, setChanging] = useState(false);
  const test = useTest(receiver);
  return (
    <>
      <div className="flex flex-wrap gap-2 max-sm:[&>button]:px-3">
        <Button
          aria-label={`Send test to ${label}`}
          isBusy={test.isPending}
          disabled={!receiver.confirmed}
          onClick={() => {
            test.mutate();
          }}
        >
          Send test
        </Button>
        <Button
          aria-label={`Change ${label}`}
          onClick={() => {
            setChanging(true);
          }}
        >
          Change
        </Button>
        {receiver.kind === "webhook" ? <Rotate id={receiver.id} /> : null}
        <Delete {...{ receiver, isHere, label }} />
      </div>
      <TestResult test={test} />
      <PreferencesDialog
        receiver={receiver}
        isOpen={isChanging}
        onClose={() => {
          setChanging(false);
        }}
      />
    </>
  );
}

/** One channel or webhook with its health and everything that can be done with it. */
export function ReceiverRow({ receiver, isHere }: Props): JSX.Element {
  const { id, kind, target, description, active, confirmed } = receiver;
  const headingId = useId();
  const name = nameOf({ receiver, isHere });
  const label = description === "" ? `${name} ${target}` : `${name} ${description}`;
  const toggle = useChange(async (isOn: boolean) => {
    await callsOf(receiver).update(id, { active: isOn });
  });
  const Icon = icons[kind];
  return (
    <li aria-labelledby={headingId} className="flex gap-3 py-4 sm:gap-4">
      <span className="hidden size-10 shrink-0 items-center justify-center rounded-xl bg-inset text-accent sm:flex">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1 space-y-3">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0 space-y-1">
            <h3 id={headingId} className="flex flex-wrap items-center gap-2 font-semibold">
              {name}
              <HealthBadge receiver={receiver} />
            </h3>
            {description === "" ? null : (
              <p className="text-sm">
                <Text>{description}</Text>
              </p>
            )}
            <p className="font-mono text-xs text-soft">
              <Text>{target}</Text>
            </p>
          </div>
          <Switch
            label={`Messages to ${label}`}
            isOn={active}
            isDisabled={toggle.isPending}
            onChange={(isOn) => {
              toggle.mutate(isOn);
            }}
          />
        </div>
        <Problem title="Couldn’t change it" error={toggle.error} />
        <Summary receiver={receiver} />
        <HealthLine receiver={receiver} />
        {confirmed ? null : <ConfirmMail id={id} address={target} />}
        <Actions {...{ receiver, isHere, label }} />
        <Disclosure summary="Delivery log">
          <Deliveries receiver={receiver} />
        </Disclosure>
      </div>
    </li>
  );
}
