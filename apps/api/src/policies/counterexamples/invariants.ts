// Invariants that the service brings: what must never pass without the owner. Owners write their own in the same language.

export type BuiltIn = { readonly id: string; readonly title: string; readonly text: string };

const invariant = (id: string, title: string, rule: string): BuiltIn => ({
  id,
  title,
  text: `@id("${id}")\n@reason("${title}")\n${rule}\n`,
});

const onlyRecipients = `forbid (principal, action in Countersign::Action::"move", resource is Countersign::Recipient)`;

export const builtInInvariants: readonly BuiltIn[] = [
  invariant(
    "new-recipient-payment",
    "No payment above 1,000 tokens to an address that was never paid",
    `${onlyRecipients}
when { !context.recipient.known && context has amount && context.amount.micro > 1000000000 };`,
  ),
  invariant(
    "new-recipient-day",
    "No more than 1,000 tokens a day to addresses that were never paid",
    `${onlyRecipients}
when { !context.recipient.known && context.day.microToNew > 1000000000 };`,
  ),
  invariant(
    "new-recipient-day-usd",
    "No more than 1,000 USD a day to addresses that were never paid",
    `${onlyRecipients}
when { !context.recipient.known && context.day.usdToNew.greaterThan(decimal("1000.0")) };`,
  ),
  invariant(
    "unlimited-allowance",
    "No allowance without a limit",
    `forbid (principal, action == Countersign::Action::"approve", resource)
unless { context has amount && !context.amount.unbounded };`,
  ),
  invariant(
    "control",
    "No other account gets control of this one",
    `forbid (principal, action in [Countersign::Action::"delegate", Countersign::Action::"admin"], resource);`,
  ),
  invariant(
    "unknown-amount",
    "No payment in an amount that is not known",
    `${onlyRecipients}
unless { context has amount && !context.amount.unbounded };`,
  ),
  invariant(
    "night",
    "No payment above 100 tokens between 22:00 and 06:00",
    `${onlyRecipients}
when {
  (context.clock.hour >= 22 || context.clock.hour < 6) && context has amount && context.amount.micro > 100000000
};`,
  ),
  invariant(
    "transactions-a-day",
    "No more than 50 transactions in 24 hours",
    `forbid (principal, action == Countersign::Action::"execute", resource)
when { context.day.count > 50 };`,
  ),
];
