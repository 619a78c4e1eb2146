/** A verification service, as far as proposing needs it. */
export type VerificationService = {
  readonly id: number;
  readonly inbox: string;
  /** Null until it was read and its fingerprint verified. */
  readonly armoured: string | null;
  readonly active: boolean;
};
/** The service with that id, or else the active one with the lowest id. */
export type FindService = (id: number | undefined) => Promise<VerificationService | undefined>;
