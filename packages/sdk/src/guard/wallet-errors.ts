// Errors of the wallet behind a guard, after an approval.
import { CountersignError } from "../errors.ts";
import { NotApprovedError } from "./not-approved.ts";

/** Runs one action of the wallet. A library's own error would make its client retry with another method. */
export async function explainWallet<T>(did: "send" | "sign", act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NotApprovedError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CountersignError(`Approved, but the wallet did not ${did} it: ${why}`, { cause: error });
  }
}
