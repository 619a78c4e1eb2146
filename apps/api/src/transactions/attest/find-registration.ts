import { registrationProof } from "@countersign/wire";
import type { OwnTransactionStore } from "../../platform/own-wallet/index.ts";
import { registrationPurpose } from "../record/registrar.ts";
import type { RegistrationStore } from "../store/index.ts";
import type { FindRegistration } from "./receipt.ts";

type Parts = {
  readonly registrations: Pick<RegistrationStore, "findRegistrationOf">;
  readonly ownTransactions: Pick<OwnTransactionStore, "findLive">;
};

/** The purpose of transactions that registered a single proposal, up to 0040. */
const singlePurpose = "register-proposal";

/** Returns the transaction that recorded a proposal, and the proof that it is under the recorded root. */
export const makeFindRegistration =
  ({ registrations, ownTransactions }: Parts): FindRegistration =>
  async ({ id, requestHash }) => {
    const registration = await registrations.findRegistrationOf(id);
    const wanted =
      registration === undefined
        ? { purpose: singlePurpose, subject: requestHash }
        : { purpose: registrationPurpose, subject: registration.id };
    const transactionHash = (await ownTransactions.findLive(wanted))?.hash ?? null;
    if (registration?.form !== "root") return { transactionHash, root: null, proof: null };
    const proof = registrationProof(registration, requestHash) ?? null;
    return { transactionHash, root: registration.root, proof };
  };
