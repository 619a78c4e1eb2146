import {
  hashIntent,
  hashReport,
  readAttestation,
  recoverAttestationSigner,
  type Attestation,
  type Decision,
  type WireDomain,
} from "@countersign/wire";
import { transactionErrors } from "./errors.ts";
import type { Hex, Transaction } from "./transaction.ts";

/** As the registry of verification services has it. Its inbox address is the one that its verdicts are signed by. */
export type Service = {
  readonly id: number;
  readonly inbox: Hex;
  readonly active: boolean;
  readonly fingerprint: string;
};

export type Services = {
  readonly findService: (id: number) => Promise<Service | undefined>;
  readonly listServices: () => Promise<readonly Service[]>;
};

type Parts = Services & { readonly domain: WireDomain };

/** What came with a verdict, not yet believed. */
export type Sent = { readonly decision: Decision; readonly attestation: unknown; readonly report: unknown };

const complain = (what: string) => transactionErrors.wrongAttestation({ message: `attestation: ${what}` });

/**
 * What a verdict must repeat of the proposal that we recorded. A rejection may be of something that could not be read, and
 * then it repeats nothing but the hash: refusing is always safe.
 */
function expectedOf(transaction: Transaction, decision: Decision): Partial<Attestation["verdict"]> {
  const { requestHash, escrow, chainId, form, expected, description } = transaction;
  if (decision === "REJECTED") return { requestHash };
  const named = { requestHash, escrow, chainId };
  // What the sender sealed only the arbiter has read: its word for it is all there is.
  if (form === "sealed" || expected === null) return named;
  const { to, value, dataHash } = expected;
  return { ...named, to, value: value.toString(), dataHash, intentHash: hashIntent(description) };
}

function checkContent(
  { domain, verdict }: Attestation,
  ours: WireDomain,
  wanted: Partial<Attestation["verdict"]>,
): void {
  if (domain.chainId !== ours.chainId || domain.verifyingContract !== ours.inbox.toLowerCase())
    throw complain("domain is not that of this service");
  for (const [member, value] of Object.entries(wanted))
    if (verdict[member as keyof typeof verdict] !== value)
      throw complain(`${member} is not that of the transaction`);
}

/** A wrong signature may be one that no key could have made. */
const signerOf = (attestation: Attestation): Promise<Hex | undefined> =>
  recoverAttestationSigner(attestation).catch(() => undefined);

/** Who may sign a verdict on this one. Undefined: no service is known at all, so that anybody who may post it may. */
async function listSigners(
  { serviceId }: Transaction,
  { findService, listServices }: Services,
): Promise<readonly Hex[] | undefined> {
  if (serviceId !== null) {
    const service = await findService(serviceId);
    return service === undefined ? [] : [service.inbox];
  }
  const services = await listServices();
  if (services.length === 0) return undefined;
  return services.filter(({ active }) => active).map(({ inbox }) => inbox);
}

/** The signed verdict, once all of it agrees with the record, the decision and the report. Otherwise a refusal. */
export const makeCheckAttestation =
  ({ domain, ...services }: Parts) =>
  async (transaction: Transaction, { decision, attestation, report }: Sent): Promise<Attestation> => {
    const read = readAttestation(attestation);
    if (read === undefined) throw complain("not of the form of a signed verdict");
    checkContent(read, domain, { ...expectedOf(transaction, decision), decision });
    if (report !== undefined && hashReport(report) !== read.verdict.reportHash)
      throw complain("reportHash is not that of the report");
    const signer = await signerOf(read);
    if (signer === undefined || signer !== read.signer) throw complain("not signed by its signer");
    const signers = await listSigners(transaction, services);
    if (signers !== undefined && !signers.includes(signer))
      throw complain("not signed by the verification service of the transaction");
    return read;
  };

export type CheckAttestation = ReturnType<typeof makeCheckAttestation>;
