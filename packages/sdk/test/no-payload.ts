/** The members of payloads in views and receipts about a transaction. */
export const noPayload = {
  ...{ typedData: null, calls: null, safeTransaction: null, message: null },
  ...{ authorizationList: null, userOperation: null },
};
