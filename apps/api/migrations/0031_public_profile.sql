-- Whether anyone may read an account's results. If not, its public profile is answered as that of an unknown account.
alter table settings add column public_profile boolean not null default true;
