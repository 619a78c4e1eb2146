export type { ProposeTransaction } from "./1-propose.ts";
export type { ApprovalStatusReader, StatusAnswer } from "./approval-status.ts";
export { transactionErrors } from "./errors.ts";
export { isTerminal, statusOf, statusOfPhase, type Phase, type Status } from "./lifecycle.ts";
export { Calldata, ProposalBody, Wei } from "./proposal-body.ts";
export type { ListTransactions, ReadTransaction } from "./read-transactions.ts";
export { recordOf, TransactionRecord } from "./transaction-record.ts";
export type { ExecutionType, Transaction } from "./transaction.ts";
export { ApprovalStatus, approvalStatus, TransactionView } from "./views.ts";
