import type { ChannelDraft, ChannelKind } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type JSX } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../components/button.tsx";
import { Choices, type Choice } from "../../components/choices.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { api } from "../../lib/api.ts";
import { canPush, subscribe } from "../../lib/push.ts";
import { browserName } from "../../lib/user-agent.ts";
import { ConfirmMail } from "./confirm-mail.tsx";
import { noFields, problemsOf, trimmed, type Fields, type Problems } from "./draft.ts";
import { kindNames, type Kind } from "./names.ts";
import { Problem } from "./problems.tsx";
import { kindsQuery, useChange } from "./receivers.ts";
import { Secret } from "./secret.tsx";
import { browserTimeZone } from "./time-zones.ts";

const told: Readonly<Record<Kind, string>> = {
  push: "A notification on this device, also while the page is closed. A click opens the transaction.",
  email: "We mail you a code first, to make sure that the address is yours.",
  slack: "Needs an incoming webhook of your workspace.",
  discord: "Needs a webhook of a channel: Edit channel, then Integrations.",
  telegram: "Needs a bot from @BotFather that is a member of the chat.",
  webhook: "A signed message for your own program, about every change.",
};

const order: readonly Kind[] = ["push", "email", "slack", "discord", "telegram", "webhook"];

const choiceOf = (kind: Kind): Choice => ({ value: kind, name: kindNames[kind] });

/** The kinds that work here: the operator has configured them, and this browser supports them. */
function offeredKinds(kinds: readonly ChannelKind[]): readonly Kind[] {
  const available = kinds.filter((kind) => kind.available).map(({ kind }) => kind);
  return order.filter((kind) =>
    kind === "webhook" ? true : available.includes(kind) && (kind !== "push" || canPush()),
  );
}

/** Says why a kind is missing, as far as the owner can do something about it. */
function Missing({ kinds }: { readonly kinds: readonly ChannelKind[] }): JSX.Element | null {
  const unavailable = kinds.filter(({ available }) => !available).map(({ kind }) => kind);
  const isPushBlocked = !unavailable.includes("push") && !canPush();
  const names = unavailable.map((kind) => (kind === "push" ? "push in a browser" : kindNames[kind]));
  if (names.length === 0 && !isPushBlocked) return null;
  return (
    <p className="text-xs text-soft">
      {names.length === 0 ? null : `Not set up on this service: ${names.join(", ")}. `}
      {isPushBlocked
        ? "This browser can’t receive push messages. On an iPhone or iPad, add this page to the home screen first, then open it from there."
        : null}
    </p>
  );
}

type InputsProps = {
  readonly kind: Kind;
  readonly fields: Fields;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Fields>) => void;
};

function Inputs({ kind, fields, problems, onChange }: InputsProps): JSX.Element {
  const given = (name: keyof Fields) => ({
    value: fields[name],
    problem: problems[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      onChange({ [name]: target.value });
    },
    autoComplete: "off",
    spellCheck: false,
  });
  return (
    <div className="space-y-3">
      {kind === "email" ? (
        <Field label="E-mail address" {...given("address")} type="email" autoComplete="email" />
      ) : null}
      {kind === "slack" || kind === "discord" ? (
        <Field
          label="Webhook address"
          hint={`From ${kindNames[kind]}. We store it encrypted and never show it again.`}
          mono
          {...given("url")}
        />
      ) : null}
      {kind === "telegram" ? (
        <>
          <Field
            label="Bot token"
            hint="We store it encrypted and never show it again."
            mono
            {...given("botToken")}
          />
          <Field label="Chat" hint="The chat’s number or its @name." mono {...given("chatId")} />
        </>
      ) : null}
      {kind === "webhook" ? (
        <Field label="Address" hint="https on a public host." mono inputMode="url" {...given("url")} />
      ) : null}
      <Field
        label="Name (optional)"
        hint="So you recognize it."
        maxLength={200}
        {...given("description")}
        spellCheck
      />
    </div>
  );
}

/** The next step after a receiver was created: a code to enter, or a secret to copy. */
type Created =
  | { readonly step: "done" }
  | {
      readonly step: "code";
      readonly id: string;
      readonly address: string;
      /** Why the code was not sent. Null: it was. */
      readonly error: unknown;
    }
  | { readonly step: "secret"; readonly secret: string };

function draftOf(kind: Exclude<Kind, "push" | "webhook">, fields: Fields): ChannelDraft {
  const { description, url, botToken, chatId, address } = fields;
  const chosen = { description, timeZone: browserTimeZone() };
  if (kind === "email") return { kind, address, ...chosen };
  return kind === "telegram" ? { kind, botToken, chatId, ...chosen } : { kind, url, ...chosen };
}

async function create(kind: Kind, fields: Fields, pushKey: string): Promise<Created> {
  const { description, url } = fields;
  if (kind === "webhook")
    return { step: "secret", secret: (await api.webhooks.create({ url, description })).secret };
  if (kind === "push") {
    const subscription = await subscribe(pushKey);
    const named = description === "" ? browserName(navigator.userAgent).slice(0, 200) : description;
    await api.channels.create({ kind, subscription, description: named, timeZone: browserTimeZone() });
    return { step: "done" };
  }
  const { id, target } = await api.channels.create(draftOf(kind, fields));
  if (kind !== "email") return { step: "done" };
  // The channel exists in any case: adding it again would create a second one.
  const error: unknown = await api.channels.sendCode(id).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { step: "code", id, address: target, error };
}

type FormProps = {
  readonly kinds: readonly ChannelKind[];
  readonly onCreated: (created: Created) => void;
  readonly onClose: () => void;
};

function Form({ kinds, onCreated, onClose }: FormProps): JSX.Element {
  const offered = offeredKinds(kinds);
  const [kind, setKind] = useState<Kind>(offered[0] ?? "webhook");
  const [fields, setFields] = useState(noFields);
  const [isTried, setTried] = useState(false);
  const pushKey = kinds.find((one) => one.kind === "push")?.publicKey ?? "";
  const add = useChange((given: Fields) => create(kind, given, pushKey), onCreated);
  const problems = isTried ? problemsOf(kind, trimmed(fields)) : {};
  const form = useRef<HTMLFormElement>(null);
  const focusProblem = (): void => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // At once, so that the first problem can get the focus.
        flushSync(() => {
          setTried(true);
        });
        const given = trimmed(fields);
        if (Object.keys(problemsOf(kind, given)).length === 0) add.mutate(given);
        else focusProblem();
      }}
    >
      <Choices
        inline
        wide
        label="Where"
        value={kind}
        onChange={(value) => {
          setKind(offered.find((one) => one === value) ?? kind);
          setTried(false);
          add.reset();
        }}
        choices={offered.map(choiceOf)}
        isDisabled={add.isPending}
      />
      <p className="text-sm text-soft">{told[kind]}</p>
      <Inputs
        {...{ kind, fields, problems }}
        onChange={(changes) => {
          setFields({ ...fields, ...changes });
        }}
      />
      <Missing kinds={kinds} />
      <Problem title="Couldn’t add it" error={add.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={add.isPending}>
          {kind === "push" ? "Allow notifications" : kind === "email" ? "Send code" : "Add"}
        </Button>
      </DialogButtons>
    </form>
  );
}

const titleOf = (created: Created | undefined): string => {
  if (created?.step === "code") return "Confirm your address";
  return created?.step === "secret" ? "Your new webhook" : "Add a channel";
};

/** Adds a channel or a webhook in a dialog. */
export function AddReceiver(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  const { data: kinds, error } = useQuery({ ...kindsQuery, enabled: isOpen });
  const close = (): void => {
    setOpen(false);
    setCreated(undefined);
  };
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          setOpen(true);
        }}
      >
        Add channel
      </Button>
      <Dialog isOpen={isOpen} title={titleOf(created)} onClose={close}>
        {created?.step === "code" ? (
          <div className="pb-4">
            <ConfirmMail {...created} onConfirmed={close} />
          </div>
        ) : null}
        {created?.step === "secret" ? (
          <>
            <Secret value={created.secret} />
            <DialogButtons>
              <Button look="primary" onClick={close}>
                Done
              </Button>
            </DialogButtons>
          </>
        ) : null}
        {created !== undefined ? null : kinds === undefined ? (
          <>
            {error === null ? <Loading what="the kinds of channels" /> : null}
            <Problem title="Couldn’t load the kinds of channels" error={error} />
          </>
        ) : (
          <Form
            kinds={kinds}
            onCreated={(result) => {
              if (result.step === "done") close();
              else setCreated(result);
            }}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
}
