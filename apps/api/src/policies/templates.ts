// Starter rules in plain English. An owner copies them into a policy and changes the values.

export type Template = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
};

export const templates: readonly Template[] = [
  {
    id: "new-recipient",
    title: "Ask me about recipients that I have never paid",
    text: `@id("new-recipient")
@outcome("ask")
@reason("New recipient")
forbid (principal, action, resource is Countersign::Recipient)
when { context has recipient && !context.recipient.known };
`,
  },
  {
    id: "only-these-recipients",
    title: "Only these addresses and contracts",
    text: `@id("only-these-recipients")
@reason("Not one of your recipients")
forbid (principal, action, resource is Countersign::Recipient)
unless {
  resource == Countersign::Recipient::"eip155:1:0x0000000000000000000000000000000000000001" ||
  resource == Countersign::Recipient::"eip155:1:0x0000000000000000000000000000000000000002"
};
`,
  },
  {
    id: "no-unlimited-approvals",
    title: "No unlimited approvals, and no approvals above 1,000 tokens",
    text: `@id("no-unlimited-approvals")
@reason("Unlimited or large approval")
forbid (principal, action == Countersign::Action::"approve", resource)
unless { context has amount && !context.amount.unbounded && context.amount.micro <= 1000000000 };
`,
  },
  {
    id: "business-hours",
    title: "Ask me at night and at weekends",
    text: `@id("business-hours")
@outcome("ask")
@reason("Outside business hours")
forbid (principal, action == Countersign::Action::"execute", resource)
when { context.clock.weekday >= 6 || context.clock.hour < 8 || context.clock.hour >= 18 };
`,
  },
  {
    id: "travel-lock",
    title: "Ask me about everything while I travel",
    text: `@id("travel-lock")
@outcome("ask")
@reason("Travel lock")
forbid (principal, action == Countersign::Action::"execute", resource)
when {
  context.clock.at >= datetime("2026-12-20T00:00:00Z") && context.clock.at < datetime("2027-01-03T00:00:00Z")
};
`,
  },
  {
    id: "twenty-a-day",
    title: "Ask me after 20 transactions in 24 hours",
    text: `@id("twenty-a-day")
@outcome("ask")
@reason("More than 20 transactions in 24 hours")
forbid (principal, action == Countersign::Action::"execute", resource)
when { context.day.count > 20 };
`,
  },
  {
    id: "above-1000-dollars",
    title: "Ask me above 1,000 dollars in one transaction",
    text: `@id("above-1000-dollars")
@outcome("ask")
@reason("More than 1,000 dollars")
forbid (principal, action == Countersign::Action::"execute", resource)
when { context has usd && context.usd.greaterThan(decimal("1000.0")) };
`,
  },
];
