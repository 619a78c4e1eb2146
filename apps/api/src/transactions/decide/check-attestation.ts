import {
  hashIntent,
  hashReport,
  hashVerdict,
  readAttestation,
  verdictOf,
  type Attestation,
  type Decision,
  type WireDomain,
} from "@countersign/wire";
import type { Clock } from "@countersign/platform/clock";
import { hexToBytes } from "viem/utils";
import { recoverHashSigner } from "../../adapters/wallets/index.ts";
import { transactionErrors } from "../errors.ts";
import type { Hex, Transaction } from "../transaction.ts";

/** A service in the registry. Its inbox address signs its verdicts. */
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

/** A verdict as received, not verified yet. */
export type Sent = { readonly decision: Decision; readonly attestation: unknown; readonly report: unknown };

const complain = (what: string) => transactionErrors.wrongAttestation({ message: `attestation: ${what}` });

/**
 * Returns the values that a verdict must repeat of the stored proposal. A rejection may concern a proposal
 * that could not be read, so it repeats only the hash: rejecting is always safe.
 */
function expectedOf(transaction: Transaction, decision: Decision): Readonly<Record<string, unknown>> {
  const { requestHash, escrow, chainId, form, expected, description, shape, signingHash } = transaction;
  if (decision === "REJECTED") return { requestHash };
  const named = { requestHash, escrow, chainId };
  // The shape of an encrypted proposal is known once its verdict is stored, which must not differ from it later.
  if (shape !== null)
    return {
      ...{ ...named, shape, signingHash },
      ...(form === "sealed" ? {} : { intentHash: hashIntent(description) }),
    };
  // Only the verification service has read what the sender encrypted, so its word is all there is.
  if (form === "sealed" || expected === null) return named;
  const { to, value, dataHash } = expected;
  return { ...named, to, value: value.toString(), dataHash, intentHash: hashIntent(description) };
}

function checkContent(
  { domain, verdict }: Attestation,
  ours: WireDomain,
  wanted: Readonly<Record<string, unknown>>,
): void {
  if (domain.chainId !== ours.chainId || domain.verifyingContract !== ours.inbox.toLowerCase())
    throw complain("domain differs from this service's");
  for (const [member, value] of Object.entries(wanted))
    // A verdict of the other version lacks the member.
    if ((verdict as Readonly<Record<string, unknown>>)[member] !== value)
      throw complain(`${member} differs from the transaction's`);
}

function checkReport({ verdict }: Attestation, report: unknown): void {
  if (report !== undefined && hashReport(report) !== verdict.reportHash)
    throw complain("reportHash differs from the report's");
}

function checkValidity({ verdict }: Attestation, clock: Clock): void {
  if (verdict.validUntil * 1000 <= clock.now().getTime()) throw complain("validUntil has passed");
}

/** Undefined for a signature that no key could have made, and for the second of two that mean the same. */
function signerOf({ domain, verdict, signature }: Attestation): Hex | undefined {
  const home = { chainId: domain.chainId, inbox: domain.verifyingContract };
  return recoverHashSigner(hexToBytes(hashVerdict(home, verdictOf(verdict))), signature);
}

/**
 * Returns the services whose verdicts count for this transaction: the one it was encrypted for, otherwise
 * every active one. Undefined if no service is registered at all.
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
  /** The registered service that signed it. Null if no service is registered, so that any signer is accepted. */
  readonly service: number | null;
};

/**
 * Returns the attestation if it agrees with the stored transaction, the decision and the report and is valid
 * now. Throws otherwise.
 */
export const makeCheckAttestation =
  ({ domain, clock, ...services }: Parts) =>
  async (transaction: Transaction, { decision, attestation, report }: Sent): Promise<Checked> => {
    const read = readAttestation(attestation);
    if (read === undefined) throw complain("not a signed verdict");
    checkContent(read, domain, { ...expectedOf(transaction, decision), decision });
    checkReport(read, report);
    // A rejection is safe to accept at any age.
    if (decision !== "REJECTED") checkValidity(read, clock);
    const signer = signerOf(read);
    if (signer !== read.signer) throw complain("not signed by its signer");
    const signers = await listSigners(transaction, services);
    const service = signers?.find(({ inbox }) => inbox === signer);
    if (signers !== undefined && service === undefined)
      throw complain("not signed by an active verification service of the transaction");
    return { attestation: read, service: service?.id ?? null };
  };

export type CheckAttestation = ReturnType<typeof makeCheckAttestation>;

/**
 * Rejects a verdict without an attestation once a verification service is registered: an API key alone
 * neither approves nor replaces the signed verdict. A rejection needs no attestation, because rejecting is
 * always safe.
 */
export const makeRequireAttestation =
  (services: Services) =>
  async (transaction: Transaction, decision: Decision): Promise<void> => {
    if (decision !== "REJECTED" && (await listSigners(transaction, services)) !== undefined)
      throw transactionErrors.attestationRequired();
  };

export type RequireAttestation = ReturnType<typeof makeRequireAttestation>;
