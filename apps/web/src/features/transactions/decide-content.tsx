import type { TransactionView } from "@countersign/sdk";
import type { DecisionMessage } from "@countersign/sdk/viem";
import { useEffect, useRef, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Text } from "../../components/text.tsx";
import { WithWallet } from "../../components/with-wallet.tsx";
import { coinAmount } from "../../components/report/plain-words.ts";
import type { Known } from "../../lib/known.ts";
import { useServiceAddress } from "../../lib/transactions.ts";
import { chainName } from "../../lib/chains.ts";
import { DecideProgress } from "./decide-progress.tsx";
import { useDecisionMessage, type Deciding, type Decision } from "./decide.ts";
import { useWalletFor } from "./use-wallet.ts";
import { WalletNeeded } from "./wallet-needed.tsx";

const looks = { APPROVED: "primary", REJECTED: "danger" } as const;

function WhatIsDecided({
  transaction,
  decision,
  described,
}: {
  readonly transaction: TransactionView;
  readonly decision: Decision;
  readonly described: string | null;
}): JSX.Element {
  const { requestHash, chainId, tx } = transaction;
  return (
    <Facts
      facts={[
        ["Decision", <strong key="decision">{decision}</strong>],
        ...(described === null ? [] : [["What it does", <Text key="described">{described}</Text>] as const]),
        ["Proposal ID", <Hex key="hash" value={requestHash} label="proposal ID" full />],
        ["Chain", chainName(chainId)],
        [
          "To",
          tx === null ? "encrypted by the agent" : <Hex key="to" value={tx.to} label="recipient" full />,
        ],
        ["Value", tx === null ? "encrypted by the agent" : coinAmount(tx.value, chainId)],
      ]}
    />
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
  /** The transaction in one sentence for each act. Null if there is none. */
  readonly described: string | null;
  /** The acknowledgement to tick first. */
  readonly acknowledge: string | undefined;
  readonly onClose: () => void;
};

const isOver = (kind: string): boolean => kind === "recorded";
const isBusy = (kind: string): boolean => kind === "signing" || kind === "sending";

/** Shows the text to sign, the wallet, then the service's answer. A rejection prompts the wallet at once. */
function Content(props: DecideProps): JSX.Element {
  const { known, account, decision, deciding, described, acknowledge, onClose } = props;
  const { value: transaction } = known;
  const look = looks[decision];
  const [isTicked, setTicked] = useState(false);
  const audience = useServiceAddress();
  const wallet = useWalletFor(account);
  const { progress, attempt, run } = deciding;
  const isUnderWay = isBusy(progress.kind);
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
  const hasBegun = useRef(false);
  useEffect(() => {
    if (decision !== "REJECTED" || progress.kind !== "asked" || !mayGo || hasBegun.current) return;
    hasBegun.current = true;
    go();
  });
  return (
    <>
      <WhatIsDecided transaction={transaction} decision={decision} described={described} />
      <WalletNeeded wallet={wallet} needed={account} what="your account" />
      {message === undefined ? null : <WhatIsSigned message={message} />}
      {acknowledge === undefined || isOver(progress.kind) ? null : (
        <div className="rounded-xl border border-open bg-open-bg px-3 py-1">
          <Checkbox isChecked={isTicked} onChange={setTicked}>
            <Text>{acknowledge}</Text>
          </Checkbox>
        </div>
      )}
      <DecideProgress progress={progress} decision={decision} known={known} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{isOver(progress.kind) ? "Close" : "Cancel"}</Button>
        {isOver(progress.kind) ? null : (
          <Button
            look={look}
            isBusy={isUnderWay}
            disabled={!mayGo || (acknowledge !== undefined && !isTicked)}
            onClick={go}
          >
            {progress.kind === "asked" || isUnderWay ? "Continue in wallet" : "Try again in wallet"}
          </Button>
        )}
      </div>
    </>
  );
}

export const DecideContent = (props: DecideProps): JSX.Element => (
  <WithWallet>
    <Content {...props} />
  </WithWallet>
);
