import {
  hashIntent,
  hashReport,
  readAttestation,
  recoverAttestationSigner,
  type Attestation,
  type Decision,
  type WireDomain,
} from "@countersign/wire";
import type { Clock } from "@countersign/platform/clock";
import { transactionErrors } from "../errors.ts";
import type { Hex, Transaction } from "../transaction.ts";

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

type Parts = Services & { readonly domain: WireDomain; readonly clock: Clock };

/** What came with a verdict, not verified yet. */
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

function checkReport({ verdict }: Attestation, report: unknown): void {
  if (report !== undefined && hashReport(report) !== verdict.reportHash)
    throw complain("reportHash is not that of the report");
}

function checkValidity({ verdict }: Attestation, clock: Clock): void {
  if (verdict.validUntil * 1000 <= clock.now().getTime()) throw complain("validUntil has passed");
}

/** A wrong signature may be one that no key could have made. */
const signerOf = (attestation: Attestation): Promise<Hex | undefined> =>
  recoverAttestationSigner(attestation).catch(() => undefined);

/**
 * Returns the services whose verdicts count for this transaction: the one it was sealed for, otherwise every active one.
 * Undefined if no service is registered at all.
 */
async function listSigners(
  { serviceId }: Transaction,
  { findService, listServices }: Services,
): Promise<readonly Service[] | undefined> {
  const services = await listServices();
  if (services.length === 0) return undefined;
  if (serviceId === null) return services.filter(({ active }) => active);
  const service = await findService(serviceId);
  return service?.active === true ? [service] : [];
}

export type Checked = {
  readonly attestation: Attestation;
  /** The registered service that signed it. Null if none is registered, so that the signer stands for itself. */
  readonly service: number | null;
};

/** Returns the attestation if it agrees with the record, the decision and the report and is valid now; otherwise throws. */
export const makeCheckAttestation =
  ({ domain, clock, ...services }: Parts) =>
  async (transaction: Transaction, { decision, attestation, report }: Sent): Promise<Checked> => {
    const read = readAttestation(attestation);
    if (read === undefined) throw complain("not of the form of a signed verdict");
    checkContent(read, domain, { ...expectedOf(transaction, decision), decision });
    checkReport(read, report);
    // A rejection is safe to keep however old it is.
    if (decision !== "REJECTED") checkValidity(read, clock);
    const signer = await signerOf(read);
    if (signer !== read.signer) throw complain("not signed by its signer");
    const signers = await listSigners(transaction, services);
    const service = signers?.find(({ inbox }) => inbox === signer);
    if (signers !== undefined && service === undefined)
      throw complain("not signed by an active verification service of the transaction");
    return { attestation: read, service: service?.id ?? null };
  };

export type CheckAttestation = ReturnType<typeof makeCheckAttestation>;

/**
 * Refuses a verdict without an attestation once a verification service is registered: an API key alone neither approves nor
 * takes the place of the signed verdict. A rejection needs none, because refusing is always safe.
 */
export const makeRequireAttestation =
  (services: Services) =>
  async (transaction: Transaction, decision: Decision): Promise<void> => {
    if (decision !== "REJECTED" && (await listSigners(transaction, services)) !== undefined)
      throw transactionErrors.attestationRequired();
  };

export type RequireAttestation = ReturnType<typeof makeRequireAttestation>;
