// An ethers Signer that sends only approved transactions and signs only approved typed data, messages and
// authorizations.
import {
  AbstractSigner,
  getAddress,
  resolveAddress,
  Signature,
  TypedDataEncoder,
  type Authorization,
  type AuthorizationRequest,
  type Provider,
  type Signer,
  type TransactionRequest,
  type TransactionResponse,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import { CountersignError } from "../errors.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import { readText } from "../guard/read-message.ts";
import { readSend } from "../guard/read-send.ts";
import { readTypedData } from "../guard/read-typed-data.ts";
import { refuseMethod } from "../guard/refuse-method.ts";
import { sendApproved } from "../guard/send-approved.ts";
import { readAuthorization, signAuthorizationApproved } from "../guard/sign-authorization.ts";
import { signMessageApproved, signTypedDataApproved } from "../guard/sign-approved.ts";
import type { Hex } from "../types.ts";
import { bareWalletOf } from "./bare-wallet.ts";
import { findResponse } from "./find-response.ts";
import { guardReads } from "./guard-reads.ts";
import { writeRequest } from "./write-request.ts";

/**
 * Wraps a Signer so that `sendTransaction`, `signTypedData`, `signMessage` of a text and `authorize` are proposed with the user's request,
 * and done only if exactly that is approved. Contracts that are connected to it send through it. It signs nothing else, and its
 * `provider` is guarded too. Use `findNotApproved` to detect its refusals.
 *
 * @example
 * const signer = guardSigner(wallet, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await signer.sendTransaction({ to, value: parseEther("0.01") });
 * @throws CountersignError for a signer without a provider.
 */
export function guardSigner(signer: Signer, options: GuardOptions): Signer {
  const { provider } = signer;
  if (provider === null)
    throw new CountersignError("This signer has no provider: connect it to one before you guard it");
  return new GuardedSigner(signer, provider, options);
}

class GuardedSigner extends AbstractSigner<Provider> {
  // Private to the engine: a caller that has the guarded signer cannot reach the bare one.
  readonly #signer: Signer;
  readonly #bareProvider: Provider;
  readonly #options: GuardOptions;

  constructor(signer: Signer, provider: Provider, options: GuardOptions) {
    super(guardReads(provider, options));
    this.#signer = signer;
    this.#bareProvider = provider;
    this.#options = options;
  }

  override async getAddress(): Promise<Hex> {
    return (await this.#signer.getAddress()) as Hex;
  }

  override connect(provider: Provider | null): Signer {
    return guardSigner(this.#signer.connect(provider), this.#options);
  }

  override async sendTransaction(request: TransactionRequest): Promise<TransactionResponse> {
    const written = await writeRequest(request, this);
    const address = await this.getAddress();
    const wallet = bareWalletOf(this.#signer, this.#bareProvider, address);
    const hash = await sendApproved(wallet, readSend([written], address), this.#options);
    return findResponse(this.provider, hash);
  }

  override async signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    const resolve = async (name: string): Promise<string> => {
      const found = await this.resolveName(name);
      if (found === null) throw new NotApprovedError(`Not signed: the name ${name} has no address`);
      return found;
    };
    // The result is a copy that the caller cannot change.
    const resolved = await TypedDataEncoder.resolveNames(domain, types, value, resolve);
    const payload: unknown = TypedDataEncoder.getPayload(resolved.domain, types, resolved.value as object);
    const address = await this.getAddress();
    const { typedData } = readTypedData([address, payload], address);
    return signTypedDataApproved(
      bareWalletOf(this.#signer, this.#bareProvider, address),
      typedData,
      this.#options,
    );
  }

  override async signTransaction(): Promise<never> {
    return refuseMethod("signTransaction", "use sendTransaction");
  }

  override async signMessage(message: string | Uint8Array): Promise<string> {
    if (typeof message !== "string")
      return refuseMethod("signMessage of bytes", "pass a text, or ask the owner to sign in their wallet");
    const wallet = bareWalletOf(this.#signer, this.#bareProvider, await this.getAddress());
    return signMessageApproved(wallet, readText(message), this.#options);
  }

  override async authorize(request: AuthorizationRequest): Promise<Authorization> {
    const { chainId, nonce, ...named } = await this.populateAuthorization(request);
    const delegate = await resolveAddress(named.address, this);
    const authorizationList = readAuthorization({ chainId, address: delegate, nonce });
    const wallet = bareWalletOf(this.#signer, this.#bareProvider, await this.getAddress());
    const signature = await signAuthorizationApproved(wallet, authorizationList, this.#options);
    const [{ address, ...numbers }] = authorizationList;
    return {
      address: getAddress(address),
      chainId: BigInt(numbers.chainId),
      nonce: BigInt(numbers.nonce),
      signature: Signature.from(signature),
    };
  }
}
