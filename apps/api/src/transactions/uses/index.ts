// The proofs that a released signature was used on the chain: an entry for each shape, and for each known kind of typed data.
import type { Hex, Payload, Shape, TypedData } from "@countersign/wire";
import { authorizationProof } from "./authorization.ts";
import { batchProof } from "./batch.ts";
import { cancellationProof, paymentProof } from "./payments.ts";
import { daiPermitProof, permitProof } from "./permits.ts";
import { allowanceProof, permit2, transferProof } from "./permit2.ts";
import type { Proof, Released } from "./proof.ts";
import { safeProof } from "./safe.ts";
import { hexIn, integerIn, structOf, type Message } from "./typed-message.ts";
import { userOperationProof } from "./user-operation.ts";

export { delegationMark } from "./authorization.ts";
export { senderMark } from "./batch.ts";
export {
  hasEnded,
  isUnused,
  markOf,
  outcomes,
  type EventLog,
  type Judged,
  type Mark,
  type Mined,
  type Outcome,
  type Proof,
  type Released,
  type Use,
} from "./proof.ts";
export { topics } from "./topics.ts";

type Signed = Released & { readonly contract: Hex; readonly message: Message };
type Entry = (signed: Signed) => Proof | undefined;

/** Who signed must be the account: for another signer these events are about another signature. */
const bySigner =
  (member: string, entry: (contract: Hex, message: Message) => Proof): Entry =>
  ({ escrow, contract, message }) =>
    hexIn(message, member) === escrow ? entry(contract, message) : undefined;

const ofPermit2 =
  (entry: (owner: Hex, message: Message) => Proof | undefined): Entry =>
  ({ escrow, contract, message }) =>
    contract === permit2 ? entry(escrow, message) : undefined;

const payment = bySigner("from", paymentProof);
const allowance = ofPermit2(allowanceProof);
const transfer = ofPermit2(transferProof);

const nonceAndTimes =
  "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce";
const safeMembers =
  "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce";

/** By the struct that is signed, as EIP-712 writes it: data with the same name and other members is something else. */
const typedData: Readonly<Record<string, Entry>> = {
  [`TransferWithAuthorization(${nonceAndTimes})`]: payment,
  [`ReceiveWithAuthorization(${nonceAndTimes})`]: payment,
  "CancelAuthorization(address authorizer,bytes32 nonce)": bySigner("authorizer", cancellationProof),
  "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)": bySigner(
    "owner",
    permitProof,
  ),
  "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)": bySigner(
    "holder",
    daiPermitProof,
  ),
  "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)": allowance,
  "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)": allowance,
  [`SafeTx(${safeMembers})`]: ({ contract, signingHash, message }) =>
    safeProof(contract, signingHash, integerIn(message, "nonce")),
};

/** Orders end with a struct of their protocol, the witness, which the nonce does not depend on. */
const transferMembers = "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline";
const isTransfer = (struct: string): boolean =>
  [`PermitTransferFrom(${transferMembers})`, `PermitWitnessTransferFrom(${transferMembers},`].some((start) =>
    [start, start.replace("Permit", "PermitBatch").replace("TokenPermissions", "TokenPermissions[]")].some(
      (one) => struct.startsWith(one),
    ),
  );

/** The structs that those refer to. */
const inner: readonly (readonly [name: string, struct: string])[] = [
  ["PermitDetails", "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"],
  ["TokenPermissions", "TokenPermissions(address token,uint256 amount)"],
];
const isStandard = (data: TypedData): boolean =>
  inner.every(([name, struct]) => data.types[name] === undefined || structOf(data, name) === struct);

const entryOf = (data: TypedData): Entry | undefined => {
  const struct = structOf(data, data.primaryType);
  if (!isStandard(data)) return undefined;
  return typedData[struct] ?? (isTransfer(struct) ? transfer : undefined);
};

/** Data without its chain is valid on others too, which this chain's state says nothing about. */
function typedDataProof(released: Released, data: TypedData): Proof | undefined {
  const { chainId, verifyingContract } = data.domain;
  if (chainId !== released.chainId || verifyingContract === undefined) return undefined;
  const contract = verifyingContract.toLowerCase() as Hex;
  return entryOf(data)?.({ ...released, contract, message: data.message });
}

/** A shape that is not listed is released, and not watched. `message`: a signed text does nothing on a chain. */
const proofs: Readonly<Partial<Record<string, (released: Released) => Proof | undefined>>> = {
  typedData: (released) => typedDataProof(released, formOf(released.payload, "typedData")),
  safeTransaction: ({ payload, signingHash }) => {
    const { safe, nonce } = formOf(payload, "safeTransaction");
    return safeProof(safe, signingHash, BigInt(nonce));
  },
  calls: ({ escrow, payload }) => batchProof(escrow, formOf(payload, "calls")),
  authorizationList: ({ escrow, payload }) =>
    authorizationProof(escrow, formOf(payload, "authorizationList")),
  userOperation: ({ payload, signingHash }) =>
    userOperationProof(formOf(payload, "userOperation"), signingHash),
};

/** The compiler cannot see that an entry's payload has the entry's shape. */
const formOf = <S extends Shape>(payload: Payload, shape: S): Payload<S>[S] =>
  (payload as unknown as Payload<S>)[shape];

/** Returns the proof of a release. Undefined if its use cannot be proven, or its sender encrypted it. */
export function proofOf({
  chainId,
  escrow,
  payload,
  signingHash,
}: Omit<Released, "payload" | "signingHash"> & {
  readonly payload: Payload | null;
  readonly signingHash: Hex | null;
}): Proof | undefined {
  if (payload === null || signingHash === null) return undefined;
  const account = escrow.toLowerCase() as Hex;
  return proofs[payload.shape]?.({ chainId, escrow: account, payload, signingHash });
}
