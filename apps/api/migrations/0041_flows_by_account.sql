-- No query reads flows by account, and every change of a flow wrote an entry.
drop index flows_of_account;
