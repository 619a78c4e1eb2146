import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { useValidate, type IntegrationType } from "./queries.ts";

/** What an owner can do about it. */
const advice: Readonly<Record<string, string>> = {
  "The custodian refused the credential":
    "The API user is not approved there yet, or the key is another user’s. Save the right key in step 3.",
  "The custodian has no such vault": "The number is wrong, or the API user may not see that vault.",
  "The vault has no address on a chain that we know": "Add the chain’s coin to the vault, then test again.",
  "The vault's wallet belongs to another account": "A wallet has one account here: set it up from that one.",
  "The custodian cannot be reached": "Try again. If it stays so, ask your operator.",
  "The integration was changed meanwhile, ask again": "Test again.",
};

/** Asks the custodian something harmless, and says what came of it. */
export function ConnectionTest({ type }: { readonly type: IntegrationType }): JSX.Element {
  const { data, error, isPending, mutate } = useValidate(type);
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">The custodian is asked something harmless. Nothing is moved.</p>
      {error === null ? null : <ProblemNotice title="It could not be tested" error={error} />}
      {data?.valid === true ? (
        <Notice tone="good" live="polite" title="It works">
          The custodian knows the key and the vault, and the vault’s wallet is yours here.
        </Notice>
      ) : null}
      {data?.valid === false ? (
        <Notice tone="bad" live="assertive" title={<Text>{data.reason ?? "It does not work"}</Text>}>
          {advice[data.reason ?? ""]}
        </Notice>
      ) : null}
      <Button
        look="primary"
        isBusy={isPending}
        onClick={() => {
          mutate();
        }}
      >
        Test the connection
      </Button>
    </div>
  );
}
