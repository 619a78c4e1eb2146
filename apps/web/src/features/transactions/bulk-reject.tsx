import { useQueryClient } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { TextArea } from "../../components/field.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { Said } from "../../components/report/said.tsx";
import { api } from "../../lib/api.ts";
import { problemOf } from "../../lib/errors.ts";
import { counted } from "../../lib/format.ts";
import type { InboxItem } from "./inbox-items.ts";

type Item = Pick<InboxItem, "transaction" | "title">;
type Outcome = { readonly item: Item; readonly problem: string | undefined };

/** Sent one after the other, so that a long selection stays below the rate limit of decisions. */
function useRejecting(items: readonly Item[]) {
  const client = useQueryClient();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isBusy, setBusy] = useState(false);
  const run = async (reason: string): Promise<void> => {
    setBusy(true);
    setOutcomes([]);
    for (const item of items) {
      const problem = await api.reject(item.transaction.requestHash, reason === "" ? {} : { reason }).then(
        () => undefined,
        (error: unknown) => problemOf(error).sentence,
      );
      setOutcomes((before) => [...before, { item, problem }]);
    }
    setBusy(false);
    await client.invalidateQueries({ queryKey: ["transactions"] });
  };
  return { outcomes, isBusy, run };
}

type Props = {
  readonly items: readonly Item[];
  readonly onClose: () => void;
};

/** Rejects several proposals with the session. There is no bulk approval: each one needs a look and a signature. */
export function BulkReject({ items, onClose }: Props): JSX.Element {
  // Keeps the proposals of the dialog while the list changes behind it.
  const [given] = useState(items);
  const { outcomes, isBusy, run } = useRejecting(given);
  const [reason, setReason] = useState("");
  const failed = outcomes.filter(({ problem }) => problem !== undefined);
  const isOver = !isBusy && outcomes.length === given.length;
  return (
    <Dialog isOpen title={`Reject ${counted(given.length, "proposal")}`} onClose={onClose}>
      <ul
        className="max-h-60 space-y-1 overflow-y-auto text-sm"
        tabIndex={0}
        aria-label="Proposals to reject"
      >
        {given.map(({ transaction: { requestHash }, title }) => (
          <li key={requestHash}>
            <Said brief>{title}</Said>
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">
        {given.length === 1
          ? "Nothing is sent. The agent can propose again."
          : "Nothing is sent. The agents can propose again. Approvals need a look each, so only rejecting works for several at once."}
      </p>
      {outcomes.length > 0 ? null : (
        <TextArea
          label="Tell the agent why (optional)"
          maxLength={500}
          value={reason}
          onChange={({ target }) => {
            setReason(target.value);
          }}
        />
      )}
      {outcomes.length === 0 ? null : (
        <Notice
          tone={failed.length > 0 ? "bad" : isOver ? "good" : "waiting"}
          live="polite"
          title={`${outcomes.length - failed.length} of ${given.length} rejected`}
        >
          {failed.map(({ item, problem }) => (
            <p key={item.transaction.requestHash}>
              <Said brief>{`${item.title}: ${problem ?? ""}`}</Said>
            </p>
          ))}
        </Notice>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{isOver ? "Close" : "Cancel"}</Button>
        {isOver && failed.length === 0 ? null : (
          <Button look="danger" isBusy={isBusy} onClick={() => void run(reason.trim())}>
            {isOver ? "Try again" : given.length === 1 ? "Reject" : `Reject ${given.length}`}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
