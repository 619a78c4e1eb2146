// Whether the transaction was simulated or only decoded.
import type { ReadReport } from "@countersign/sdk/report";
import type { Tone } from "../badge.tsx";

export type Simulation = { readonly tone: Tone; readonly word: string; readonly told: string };

const notTried = (why: string): Simulation => ({
  tone: "open",
  word: "Not simulated",
  told: `Read from the transaction data, not simulated. ${why}`.trim(),
});

export function simulationOf(report: ReadReport | undefined): Simulation {
  if (report === undefined)
    return { tone: "open", word: "Not simulated", told: "Not read or simulated yet." };
  const check = report.checks.find(({ node }) => node === "technical_invariants.simulation_result");
  if (check === undefined || check.state === "unchecked" || check.state === "idle")
    return notTried(check?.state === "unchecked" ? check.reasoning : "");
  return check.state === "passed"
    ? { tone: "good", word: "Simulated", told: check.reasoning }
    : { tone: "bad", word: "Simulation shows something else", told: check.reasoning };
}
