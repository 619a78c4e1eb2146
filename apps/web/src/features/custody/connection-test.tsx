import type { JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { useValidate, type IntegrationType } from "./queries.ts";

/** Fixes, by the service's reason. */
const advice: Readonly<Record<string, string>> = {
  "The custodian refused the credential":
    "The API user isn’t approved yet, or the key belongs to another user. Enter the right key in step 3.",
  "The custodian has no such vault": "The number is wrong, or the API user can’t see that vault.",
  "The vault has no address on a supported chain":
    "Add the network’s native token to the vault, then test again.",
  "The vault's wallet belongs to another account":
    "Each wallet belongs to one account. Set it up from that account.",
  "The custodian cannot be reached": "Try again. If it keeps failing, ask your administrator.",
  "The integration has changed in the meantime. Test it again.": "Test again.",
};

/** Sends a harmless request to the custodian and shows the result. */
export function ConnectionTest({ type }: { readonly type: IntegrationType }): JSX.Element {
  const { data, error, isPending, mutate } = useValidate(type);
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">Sends a harmless request to your custodian. Nothing is moved.</p>
      {error === null ? null : <ProblemNotice title="Couldn’t run the test" error={error} />}
      {data?.valid === true ? (
        <Notice tone="good" live="polite" title="It works">
          The custodian accepts the key, and the vault’s wallet belongs to this account.
        </Notice>
      ) : null}
      {data?.valid === false ? (
        <Notice tone="bad" live="assertive" title={<Text>{data.reason ?? "It doesn’t work"}</Text>}>
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
