// Known methods that sign, send or change authority, with what to do instead. A method that is in no list is refused too.
const transaction = "use eth_sendTransaction, one transaction at a time";
const batch = "use wallet_sendCalls";
const typedData = "use eth_signTypedData_v4, or ask the owner to sign in their wallet";
const message = "use personal_sign with a text, or ask the owner to sign in their wallet";
const owner = "ask the owner to do it in their wallet";
const permission = "ask the owner for a mandate instead";

export const refusedMethods: Readonly<Record<string, string>> = {
  eth_decrypt: owner,
  eth_getEncryptionPublicKey: owner,
  eth_sendBundle: transaction,
  eth_sendPrivateTransaction: transaction,
  eth_sendRawTransaction: transaction,
  eth_sendRawTransactionConditional: transaction,
  eth_sendRawTransactionSync: transaction,
  eth_sendTransactionSync: transaction,
  eth_sendUserOperation: transaction,
  eth_sign: message,
  eth_signAuthorization: owner,
  eth_signTransaction: transaction,
  eth_signTypedData: typedData,
  eth_signTypedData_v1: typedData,
  eth_signTypedData_v3: typedData,
  eth_signUserOperation: transaction,
  personal_sendTransaction: transaction,
  personal_signTransaction: transaction,
  personal_signTypedData: typedData,
  personal_unlockAccount: owner,
  wallet_addEthereumChain: owner,
  wallet_addSubAccount: owner,
  wallet_connect: "use eth_requestAccounts",
  wallet_createSession: "use eth_requestAccounts",
  wallet_grantPermissions: permission,
  wallet_importRawKey: owner,
  wallet_invokeMethod: "call the method itself",
  wallet_prepareCalls: batch,
  wallet_requestExecutionPermissions: permission,
  wallet_requestPermissions: "use eth_requestAccounts",
  wallet_revokeExecutionPermission: owner,
  wallet_revokePermissions: owner,
  wallet_sendPreparedCalls: batch,
  wallet_sendTransaction: transaction,
  wallet_sign: message,
  wallet_signAuthorization: owner,
  wallet_signMessage: message,
  wallet_swapAsset: transaction,
  wallet_switchEthereumChain: owner,
  wallet_upgradeAccount: owner,
  wallet_watchAsset: owner,
};

/** Says that a method is refused, and what to do instead. */
export function explainRefusal(method: string): string {
  // Own members only: a method could be called "constructor".
  const instead = Object.hasOwn(refusedMethods, method) ? refusedMethods[method] : undefined;
  return `${method} is not allowed: this wallet only sends approved transactions and batches and signs approved typed data and messages. Instead, ${
    instead ?? "use eth_sendTransaction or eth_signTypedData_v4"
  }`;
}
