import type { Api } from "@countersign/sdk";
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/choices.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { api } from "../../lib/api.ts";
import { useNow } from "../../lib/time.ts";
import { keysQuery } from "../../lib/agents.ts";
import { Secret } from "./secret.tsx";

const day = 86_400_000;
const lives = [
  { value: "30", name: "30 days" },
  { value: "90", name: "90 days" },
  { value: "365", name: "1 year" },
  { value: "0", name: "Never expires" },
] as const;

type Wish = { readonly name: string; readonly expiresAt?: Date };
export type MakeKey = UseMutationResult<Api.PostUserApiKeysResponse, Error, Wish>;

/** Creates a key. The result holds the secret, so it is not cached. */
export function useMakeKey(): MakeKey {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: Wish) => api.keys.create(wish),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}

type FormProps = { readonly make: MakeKey; readonly onClose: () => void };

function Form({ make, onClose }: FormProps): JSX.Element {
  const now = useNow(10_000);
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        const expiresAt = new Date(now.getTime() + Number(days) * day);
        make.mutate({ name, ...(days === "0" ? {} : { expiresAt }) });
      }}
    >
      <Field
        label="Name"
        hint="So you recognize it: which program, on which machine."
        value={name}
        required
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => {
          setName(target.value);
        }}
      />
      <Choices label="Expires after" value={days} onChange={setDays} choices={lives} inline />
      {make.error === null ? null : <ProblemNotice title="Couldn’t create the key" error={make.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={make.isPending} disabled={name.trim() === ""}>
          Create key
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Creates a key in a dialog and shows the secret once. */
export function NewKey(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const make = useMakeKey();
  const close = (): void => {
    setOpen(false);
    make.reset();
  };
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          setOpen(true);
        }}
      >
        New key
      </Button>
      <Dialog isOpen={isOpen} title={make.isSuccess ? "Your new key" : "New API key"} onClose={close}>
        {make.isSuccess ? (
          <>
            <Secret value={make.data.secret} />
            <div className="flex justify-end">
              <Button look="primary" onClick={close}>
                Done
              </Button>
            </div>
          </>
        ) : (
          <Form make={make} onClose={close} />
        )}
      </Dialog>
    </>
  );
}
