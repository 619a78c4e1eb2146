// Whether it was tried out, or only read.
import type { ReadReport } from "@countersign/sdk/report";
import type { Tone } from "../badge.tsx";

export type Simulation = { readonly tone: Tone; readonly word: string; readonly told: string };

const notTried = (why: string): Simulation => ({
  tone: "open",
  word: "Not simulated",
  told: `This was read from the bytes and not tried out. ${why}`.trim(),
});

export function simulationOf(report: ReadReport | undefined): Simulation {
  if (report === undefined)
    return { tone: "open", word: "Not simulated", told: "Nobody has read this or tried it out." };
  const check = report.checks.find(({ node }) => node === "technical_invariants.simulation_result");
  if (check === undefined || check.state === "unchecked" || check.state === "idle")
    return notTried(check?.state === "unchecked" ? check.reasoning : "");
  return check.state === "passed"
    ? { tone: "good", word: "Simulated", told: check.reasoning }
    : { tone: "bad", word: "The simulation differs", told: check.reasoning };
}
