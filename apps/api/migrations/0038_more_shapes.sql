-- Everything else that a wallet signs: a Safe's transaction, a message (EIP-191), a user operation (ERC-4337) and a delegation of
-- the account's code (EIP-7702). Each is "executed" once it was released.

alter table transactions
  drop constraint transactions_shape_check,
  add constraint transactions_shape_check check (shape in
    ('typedData', 'calls', 'safeTransaction', 'message', 'userOperation', 'authorizationList'));
