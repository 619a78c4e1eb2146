-- A proposal may be a batch of calls (EIP-5792). It is "executed" once it was released to the wallet.

alter table transactions
  drop constraint transactions_shape_check,
  add constraint transactions_shape_check check (shape in ('typedData', 'calls'));
