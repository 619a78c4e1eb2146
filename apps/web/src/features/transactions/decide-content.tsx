import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { DecisionMessage } from "@countersign/sdk/viem";
import { useEffect, useRef, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { DialogButtons } from "../../components/dialog.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Facts, type Fact } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { subjectOf } from "../../components/report/effects.ts";
import { EffectList } from "../../components/report/effect-list.tsx";
import { coinAmount } from "../../components/report/plain-words.ts";
import { Text } from "../../components/text.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { chainName } from "../../lib/chains.ts";
import type { Known } from "../../lib/known.ts";
import { useServiceAddress } from "../../lib/transactions.ts";
import { LookAlikeWarnings } from "./recipients.tsx";
import { DecideProgress } from "./decide-progress.tsx";
import { useDecisionMessage, type Deciding, type Decision } from "./decide.ts";
import { MatchLine } from "./match-line.tsx";
import { deferredOf } from "./deferred.ts";
import { useWalletFor } from "../../lib/use-wallet.ts";
import { WalletNeeded } from "../../components/wallet-needed.tsx";

const looks = { APPROVED: "primary", REJECTED: "danger" } as const;
const leads = { APPROVED: "You’re approving", REJECTED: "You’re rejecting" } as const;

type Shown = {
  readonly transaction: TransactionView;
  readonly report: ReadReport | undefined;
  readonly decision: Decision;
};

/** The effects in the owner's terms. The called contract and the value are technical details. */
function WhatIsDecided({ transaction, report, decision }: Shown): JSX.Element {
  const { chainId, escrowAddress } = transaction;
  const subject = subjectOf(transaction);
  const deferred = deferredOf(transaction, report);
  return (
    <div className="space-y-3 rounded-xl border border-line bg-inset p-4">
      <p className="text-sm text-soft">{leads[decision]}</p>
      {subject === undefined ? (
        <p className="text-lg font-semibold">A transaction that is encrypted by the agent</p>
      ) : (
        <EffectList report={report} subject={subject} chainId={chainId} />
      )}
      {decision === "APPROVED" ? <LookAlikeWarnings transaction={transaction} /> : null}
      <Facts
        facts={[
          ["From", <Hex key="from" value={escrowAddress} label="wallet address" />],
          ["Network", chainName(chainId)],
          ...(deferred === undefined
            ? []
            : ([
                ["Usable until", deferred.until],
                ["At worst", deferred.worst],
              ] as const)),
        ]}
      />
    </div>
  );
}

type DetailsProps = Pick<Shown, "transaction" | "decision"> & {
  readonly message: DecisionMessage | undefined;
};

/** The call that would be sent, or the hash that would be signed. */
function signedFacts({ tx, signingHash, chainId }: TransactionView): readonly Fact[] {
  if (signingHash !== null)
    return [["Hash to sign", <Hex key="signing-hash" value={signingHash} label="hash to sign" full />]];
  if (tx === null) return [];
  return [
    ["Contract called", <Hex key="to" value={tx.to} label="contract called" full />],
    ["Native value", coinAmount(tx.value, chainId)],
  ];
}

function TechnicalDetails({ transaction, decision, message }: DetailsProps): JSX.Element {
  const { requestHash } = transaction;
  return (
    <Disclosure summary="Technical details">
      <div className="space-y-3">
        <Facts
          facts={[
            ["Decision", decision],
            ["Proposal ID", <Hex key="hash" value={requestHash} label="proposal ID" full />],
            ...signedFacts(transaction),
          ]}
        />
        {message === undefined ? null : <WhatIsSigned message={message} />}
      </div>
    </Disclosure>
  );
}

function WhatIsSigned({ message }: { readonly message: DecisionMessage }): JSX.Element {
  return (
    <div className="space-y-2">
      <p className="text-sm font-semibold">Your wallet should show exactly this text</p>
      <pre
        tabIndex={0}
        aria-label="Text to sign"
        className="max-h-48 overflow-auto rounded-lg bg-inset p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {message.text}
      </pre>
      <Facts facts={[["Hash", <Hex key="hash" value={message.hash} label="hash of the text" full />]]} />
      <p className="text-xs text-soft">A hardware wallet may show only the hash. It must be the same.</p>
    </div>
  );
}

export type DecideProps = {
  readonly known: Known<TransactionView>;
  readonly account: string;
  readonly decision: Decision;
  readonly deciding: Deciding;
  readonly report: ReadReport | undefined;
  /** The acknowledgement to tick first. */
  readonly acknowledge: string | undefined;
  readonly onClose: () => void;
};

const isBusy = (kind: string): boolean => ["checking", "signing", "sending"].includes(kind);

/** Shows the effects and the text to sign, prompts the wallet, then shows the service's answer. */
function Content(props: DecideProps): JSX.Element {
  const { known, account, decision, deciding, report, acknowledge, onClose } = props;
  const { value: transaction } = known;
  const [isTicked, setTicked] = useState(false);
  const audience = useServiceAddress();
  const wallet = useWalletFor(account);
  const { progress, attempt, run } = deciding;
  const isUnderWay = isBusy(progress.kind);
  const isOver = progress.kind === "recorded";
  const message = useDecisionMessage({
    transaction,
    decision,
    audience,
    wallet,
    attempt,
    isStill: isUnderWay,
  });
  const mayGo = wallet.state === "ready" && audience !== undefined && message !== undefined;
  const go = (): void => {
    if (mayGo) void run({ audience, wallet, message });
  };
  useRejectAtOnce(decision === "REJECTED" && progress.kind === "asked" && mayGo, go);
  return (
    <>
      <WhatIsDecided transaction={transaction} report={report} decision={decision} />
      {decision === "APPROVED" ? <MatchLine transaction={transaction} report={report} /> : null}
      <WalletNeeded wallet={wallet} needed={account} what="your account" />
      {acknowledge === undefined || isOver ? null : (
        <Acknowledge sentence={acknowledge} isTicked={isTicked} onChange={setTicked} />
      )}
      <DecideProgress progress={progress} decision={decision} known={known} />
      <TechnicalDetails transaction={transaction} decision={decision} message={message} />
      <DialogButtons>
        <Button onClick={onClose}>{isOver ? "Close" : "Cancel"}</Button>
        {isOver ? null : (
          <Button
            look={looks[decision]}
            isBusy={isUnderWay}
            disabled={!mayGo || (acknowledge !== undefined && !isTicked)}
            onClick={go}
          >
            {wordOf(progress.kind)}
          </Button>
        )}
      </DialogButtons>
    </>
  );
}

const wordOf = (kind: string): string =>
  kind === "asked" || isBusy(kind) ? "Continue in wallet" : "Try again in wallet";

type AcknowledgeProps = {
  readonly sentence: string;
  readonly isTicked: boolean;
  readonly onChange: (isTicked: boolean) => void;
};

function Acknowledge({ sentence, isTicked, onChange }: AcknowledgeProps): JSX.Element {
  return (
    <div className="rounded-xl border border-open bg-open-bg px-3 py-1">
      <Checkbox isChecked={isTicked} onChange={onChange}>
        <Text>{sentence}</Text>
      </Checkbox>
    </div>
  );
}

/** A rejection prompts the wallet without another press, once. */
function useRejectAtOnce(mayBegin: boolean, go: () => void): void {
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!mayBegin || hasBegun.current) return;
    hasBegun.current = true;
    go();
  });
}

export const DecideContent = (props: DecideProps): JSX.Element => (
  <WithWallet>
    <Content {...props} />
  </WithWallet>
);
