/** Whom a proposal can be sealed for, as far as proposing needs to know. */
export type VerificationService = {
  readonly id: number;
  readonly inbox: string;
  /** Null until it was read and has the fingerprint that the registry says. */
  readonly armoured: string | null;
  readonly active: boolean;
};
/** The one with that id, or else the active one with the lowest. */
export type FindService = (id: number | undefined) => Promise<VerificationService | undefined>;
