// Random rules over the schema of invariants, and random worlds near the values that they mention.
import fc from "fast-check";
import type { World } from "../../src/policies/counterexamples/world.ts";

export const account = `0x${"ea".repeat(20)}`;
const recipients = [1, 2].map((n) => `eip155:1:0x${String(n).padStart(40, "0")}`);
const assets = ["eip155:1/native", `eip155:1/erc20:0x${"c0".repeat(20)}`];
const dates = ["2026-01-06T12:00:00Z", "2026-01-10T00:00:00.001Z", "2026-01-04", "2026-01-06T17:30:00+0530"];

const among = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const join = (
  template: (...parts: string[]) => string,
  ...parts: fc.Arbitrary<string>[]
): fc.Arbitrary<string> => fc.tuple(...parts).map((texts) => template(...texts));

const numbers = among("0", "1", "-1", "7", "22", "100", "9007199254740991");
const effectNumbers = among("context.chain", "context.clock.hour", "context.clock.weekday");

const { truth } = fc.letrec<Record<"long" | "instant" | "span" | "money" | "truth", string>>((tie) => ({
  long: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    numbers,
    effectNumbers,
    among("context.effects", "context.day.count", "context.day.micro", "context.day.microToNew"),
    // Too much for 64 bits, except for the first of a day.
    among("9007199254740991 * context.day.count * 1000", "context.day.micro * context.day.micro"),
    join((one) => `-(${one})`, tie("long")),
    join((one, by, other) => `(${one} ${by} ${other})`, tie("long"), among("+", "-", "*"), tie("long")),
    join((one, unit) => `${one}.${unit}()`, tie("span"), among("toMilliseconds", "toHours", "toDays")),
    join(
      (one, two, three) => `(if ${one} then ${two} else ${three})`,
      tie("truth"),
      tie("long"),
      tie("long"),
    ),
  ),
  instant: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    among("context.clock.at", ...dates.map((date) => `datetime("${date}")`)),
    join((one, by) => `${one}.offset(${by})`, tie("instant"), tie("span")),
    join((one) => `${one}.toDate()`, tie("instant")),
  ),
  span: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    among(...["1d", "-2h30m", "90s", "5ms", "1m1ms"].map((text) => `duration("${text}")`)),
    join((one, other) => `${one}.durationSince(${other})`, tie("instant"), tie("instant")),
    join((one) => `${one}.toTime()`, tie("instant")),
  ),
  money: among(
    "context.usd",
    "context.day.usd",
    "context.day.usdToNew",
    'decimal("1000.0")',
    'decimal("-0.5")',
  ),
  truth: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    among("true", "false", "context.request.signed"),
    among(
      "context has amount",
      "context has recipient.known",
      "context has amount.micro",
      "context has asset",
      "context has nothing",
    ),
    among(
      "context has recipient && context.recipient.known",
      "context has amount && context.amount.unbounded",
      "context has amount && context.amount.micro > 100",
      `context has asset && context.asset == "${assets[1] ?? ""}"`,
      'context has asset && context.asset like "eip155:*/erc20:*"',
      "context.request == {signed: true}",
      "context.byEffect",
      "context has amount && context.amount == {micro: 7, unbounded: false}",
    ),
    among(
      `resource == Countersign::Recipient::"${recipients[0] ?? ""}"`,
      "resource is Countersign::Recipient",
      `principal in Countersign::Account::"${account}"`,
      'principal == Countersign::Agent::"key:1"',
      `principal is Countersign::Agent in Countersign::Account::"${account}"`,
      'action in Countersign::Action::"move"',
      'action in [Countersign::Action::"approve", Countersign::Action::"execute"]',
    ),
    join(
      (one, by, other) => `${one} ${by} ${other}`,
      tie("long"),
      among("<", "<=", ">", ">=", "==", "!="),
      tie("long"),
    ),
    join(
      (one, by, other) => `${one} ${by} ${other}`,
      tie("instant"),
      among("<", "<=", ">", ">=", "=="),
      tie("instant"),
    ),
    join((one, by, other) => `${one} ${by} ${other}`, tie("span"), among("<", "<=", ">", ">="), tie("span")),
    join(
      (one, by, other) => `${one}.${by}(${other})`,
      tie("money"),
      among("lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"),
      tie("money"),
    ),
    join((one, two, three) => `[${one}, ${two}].contains(${three})`, tie("long"), tie("long"), tie("long")),
    join(
      (one, two, three) => `[${one}, 1].${two}([${three}, 7])`,
      tie("long"),
      among("containsAll", "containsAny"),
      tie("long"),
    ),
    join((one) => `!(${one})`, tie("truth")),
    join((one, by, other) => `((${one}) ${by} (${other}))`, tie("truth"), among("&&", "||"), tie("truth")),
    join(
      (one, two, three) => `(if ${one} then ${two} else ${three})`,
      tie("truth"),
      tie("truth"),
      tie("truth"),
    ),
  ),
}));

const heads = among(
  "principal, action, resource",
  'principal, action == Countersign::Action::"transfer", resource',
  'principal, action in Countersign::Action::"authorize", resource is Countersign::Recipient',
  'principal, action in [Countersign::Action::"swap", Countersign::Action::"execute"], resource',
  `principal in Countersign::Account::"${account}", action, resource == Countersign::Recipient::"${recipients[1] ?? ""}"`,
  'principal == Countersign::Agent::"key:1", action, resource is Countersign::Account',
);

/** A rule that Cedar can evaluate, and often one that fails, by overflow. */
export const randomRule: fc.Arbitrary<string> = fc
  .tuple(heads, truth, fc.option(truth, { nil: undefined }))
  .map(
    ([head, when, unless]) =>
      `@id("rule")\nforbid (${head})\nwhen { ${when} }${unless === undefined ? "" : `\nunless { ${unless} }`};`,
  );

const amount = fc.constantFrom(
  null,
  ...[0n, 7n, 100n, 101n, 1_000_000_000n].map((micro) => ({ micro, isUnbounded: false })),
  { micro: 2n ** 53n - 1n, isUnbounded: true },
);

const anyWorld: fc.Arbitrary<World> = fc.record({
  act: fc.constantFrom("transfer", "swap", "approve", "bridge"),
  recipient: fc.constantFrom(null, ...recipients),
  known: fc.boolean(),
  chain: fc.constantFrom(1, 2, 7),
  asset: fc.constantFrom(null, ...assets),
  amount,
  count: fc.constantFrom(1, 2, 22),
  effects: fc.constantFrom(1, 2, 20),
  usd: fc.constantFrom(0n, 10_000n, 10_000_000n, 10_000_001n),
  at: fc
    .constantFrom(...dates, "2026-01-06T22:00:00Z")
    .map((date) => new Date(date.replace("+0530", "+05:30")))
    .map((at) => ({ ms: at.getTime(), hour: at.getUTCHours(), weekday: at.getUTCDay() || 7 })),
  signed: fc.boolean(),
  byEffect: fc.boolean(),
  agent: fc.constantFrom("key:1", "key:2"),
});

/** A world with all facts. The account itself is always known. */
export const randomWorld: fc.Arbitrary<World> = anyWorld.map((world) =>
  world.recipient === null ? { ...world, known: true } : world,
);
