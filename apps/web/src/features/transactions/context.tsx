import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Fold } from "../../components/fold.tsx";
import { Text } from "../../components/text.tsx";

type Props = { readonly contextLogs: TransactionView["contextLogs"] | undefined };

/** Shows what the agent sent in addition to the request. It is not checked, so it is collapsed. */
export function Context({ contextLogs }: Props): JSX.Element | null {
  if (contextLogs === undefined || contextLogs === null) return null;
  return (
    <Fold title="Context from the agent" summary="Not checked">
      <p className="text-sm text-soft">
        The agent sent this for debugging and audits. It was not checked and is not part of your request.
      </p>
      <div className="mt-3">
        <Text lines className="font-mono text-xs">
          {JSON.stringify(contextLogs, null, 2)}
        </Text>
      </div>
    </Fold>
  );
}
