// How long searches take, and how the time grows with the number of rules.
import { expect, test } from "vitest";
import { loadCedar } from "../cedar.ts";
import { templates } from "../templates.ts";
import { findCounterexamples } from "./find.ts";
import { builtInInvariants } from "./invariants.ts";
import { loadInvariantSchema } from "./replay.ts";

const account = `0x${"ea".repeat(20)}`;
const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const invariants = builtInInvariants.map(({ text }) => text);

/** Limits for many shops: each has an amount and hours of its own. The last rules close what the others leave open. */
function manyRules(count: number, isClosed: boolean): string {
  const shops = Array.from({ length: count - 3 }, (_, index) => {
    const shop = `eip155:1:0x${String(index + 1).padStart(40, "0")}`;
    return `@id("shop-${index}")
forbid (principal, action in Countersign::Action::"move", resource == Countersign::Recipient::"${shop}")
when { context has amount && (context.amount.micro > ${(index + 1) * 1_000_000} || context.clock.hour < ${index % 24}) };`;
  });
  const closing = [
    `@id("new") forbid (principal, action, resource is Countersign::Recipient) when { context has recipient && !context.recipient.known };`,
    `@id("control") forbid (principal, action in Countersign::Action::"authorize", resource);`,
    `@id("all") @outcome("ask") forbid (principal, action in Countersign::Action::"move", resource)
unless { context has amount && context.amount.micro <= 90000000 };`,
    `@id("few") forbid (principal, action == Countersign::Action::"execute", resource) when { context.day.count > 20 };`,
  ];
  return [...shops, ...(isClosed ? closing : closing.slice(0, 3))].join("\n");
}

const cases = [
  ...templates.map(({ id, text }) => ({ name: id, text })),
  { name: "all together", text: templates.map(({ text }) => text).join("\n") },
  ...[10, 100].flatMap((count) => [
    { name: `${count} rules, closed`, text: manyRules(count, true) },
    { name: `${count} rules, open`, text: manyRules(count, false) },
  ]),
];

test.each(cases)("$name: a search for all built-in invariants ends in time", async ({ name, text }) => {
  const cedar = await loadCedar();
  loadInvariantSchema(cedar);
  const begin = usedMs();
  const budget = { most: 1_000_000, searchMs: 4_000, usedMs };
  const found = findCounterexamples(cedar, { account, text, timeZone: "Europe/Berlin", invariants }, budget);
  const took = usedMs() - begin;
  if (!("results" in found)) throw new Error(JSON.stringify(found));
  const count = (wanted: string): number => found.results.filter(({ outcome }) => outcome === wanted).length;
  const most = Math.max(...found.results.map(({ bounds }) => Number(bounds?.combinations ?? 0)));
  const tried = found.results.reduce((sum, { bounds }) => sum + (bounds?.tried ?? 0), 0);
  process.stdout.write(
    `${name}: ${took.toFixed(0)} ms CPU, ${count("broken")} broken, ${count("none")} none, ${count("stopped")} stopped, ${tried} choices, at most ${most.toExponential(1)} combinations\n`,
  );
  expect(count("stopped")).toBe(0);
  expect(took).toBeLessThan(8_000);
});
