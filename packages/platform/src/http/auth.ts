import { Problem, requestErrors } from "../errors/index.ts";

/** Who is asking, as far as the platform needs to know. Each slice that authenticates makes a richer kind of its own. */
export type Caller = {
  readonly scheme: string;
  /** Identifies the credential or account for limits and logs. Never the credential itself. */
  readonly subject: string;
  readonly scopes: readonly string[];
};

/** Input of an authenticator. It includes the raw body because a signature may cover it. */
export type Credentials = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: string;
  /** Where it comes from: a proof that is costly is counted by it. */
  readonly ip: string;
};

/** Proves one kind of credential. Slices export one each; the composition root hands them to the service. */
export type Authenticator<C extends Caller = Caller> = {
  readonly scheme: string;
  /**
   * The transport, if several kinds of credential share it: then the endpoint's rule selects the kind. Otherwise each kind
   * has its own transport.
   */
  readonly carrier?: string;
  /** An OpenAPI security scheme object. */
  readonly security: Readonly<Record<string, unknown>>;
  /** The challenge of this scheme in `WWW-Authenticate` (RFC 9110, 11.6.1), such as `Bearer`. */
  readonly challenge: string;
  /** Is such a credential there at all, good or bad? */
  readonly isPresented: (credentials: Credentials) => boolean;
  /** The caller, or undefined if the credential does not hold. */
  readonly authenticate: (credentials: Credentials) => Promise<C | undefined>;
};

/** Which credentials an endpoint accepts. The type carries the caller its handler will see. */
export type AuthRule<C> = {
  readonly accepts: readonly {
    readonly scheme: string;
    readonly scope?: string;
    /** Restricts the callers of that kind. The credential of any other caller is rejected. */
    readonly isMeant?: (caller: never) => boolean;
  }[];
  /** Of several credentials the one named first counts, instead of none. */
  readonly firstCounts?: true;
  /** Never set; ties the rule to the handler's caller at compile time. */
  readonly caller?: C;
};

/** Anyone may call; the handler sees no caller. */
export const open: AuthRule<undefined> = { accepts: [] };

/** Whether the endpoint asks for no credential. */
export const isOpen = ({ accepts }: AuthRule<unknown>): boolean => accepts.length === 0;

export const credential = <C extends Caller>(scheme: string, scope?: string): AuthRule<C> => ({
  accepts: [scope === undefined ? { scheme } : { scheme, scope }],
});

/** A kind of credential, of which only some are meant. */
export const credentialOf = <C extends Caller>(
  scheme: string,
  isMeant: (caller: C) => boolean,
): AuthRule<C> => ({ accepts: [{ scheme, isMeant }] });

export const anyOf = <Rules extends readonly AuthRule<Caller>[]>(
  ...rules: Rules
): AuthRule<Rules[number] extends AuthRule<infer C> ? C : never> => ({
  accepts: rules.flatMap((rule) => rule.accepts),
});

/** As `anyOf`, for clients that send whatever they have: the first of these that is there counts, good or bad. */
export const firstOf = <Rules extends readonly AuthRule<Caller>[]>(
  ...rules: Rules
): AuthRule<Rules[number] extends AuthRule<infer C> ? C : never> => ({
  ...anyOf(...rules),
  firstCounts: true,
});

/** Returns the `WWW-Authenticate` header of a 401: one challenge for each accepted scheme, `Bearer` where none is. */
export function challengesOf(rule: AuthRule<unknown>, authenticators: readonly Authenticator[]): string {
  const accepted = authenticators.filter(({ scheme }) => rule.accepts.some((one) => one.scheme === scheme));
  const challenges = new Set(accepted.map(({ challenge }) => challenge));
  return challenges.size === 0 ? "Bearer" : [...challenges].join(", ");
}

const isPresentedTo =
  (credentials: Credentials) =>
  (authenticator: Authenticator): boolean =>
    authenticator.isPresented(credentials);

/** Is there any credential at all? */
export const isAnyPresented = (authenticators: readonly Authenticator[], credentials: Credentials): boolean =>
  authenticators.some(isPresentedTo(credentials));

/**
 * The caller, or a refusal. A credential that is there and bad is refused even if another would have been accepted:
 * falling back would let a stolen weak credential ride on a broken strong one.
 */
export async function identifyCaller(
  rule: AuthRule<unknown>,
  authenticators: readonly Authenticator[],
  credentials: Credentials,
): Promise<Caller | undefined> {
  if (isOpen(rule)) return undefined;
  const presented = authenticators.filter(isPresentedTo(credentials));
  const carriers = new Set(presented.map(({ scheme, carrier = scheme }) => carrier));
  if (carriers.size > 1 && rule.firstCounts !== true) throw requestErrors.ambiguousCredentials();
  const isThere = new Map(presented.map((authenticator) => [authenticator.scheme, authenticator]));
  const accepted = rule.accepts.find(({ scheme }) => isThere.has(scheme));
  const authenticator = isThere.get(accepted?.scheme ?? "");
  if (authenticator === undefined || accepted === undefined) throw requestErrors.unauthenticated();
  return admitted(await authenticator.authenticate(credentials), accepted);
}

/** Whether the endpoint would still admit the same credential. Rejects if that could not be checked. */
export async function isStillGood(
  rule: AuthRule<unknown>,
  authenticators: readonly Authenticator[],
  credentials: Credentials,
): Promise<boolean> {
  try {
    await identifyCaller(rule, authenticators, credentials);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

function admitted(
  caller: Caller | undefined,
  { scope, isMeant }: AuthRule<unknown>["accepts"][number],
): Caller {
  if (caller === undefined || isMeant?.(caller as never) === false) throw requestErrors.unauthenticated();
  if (scope !== undefined && !caller.scopes.includes(scope)) throw requestErrors.forbidden();
  return caller;
}
