// Follows each proposal as a client sees it, by its owner's event stream: every version once, in order, and no status twice.
import type { TransactionEvent } from "@countersign/sdk";
import type { Hex } from "viem";
import type { Followed } from "../stage/index.ts";

/** Stages of a proposal, in the order in which it reaches them. */
export const stages = ["accepted", "decided", "executed"] as const;
export type Stage = (typeof stages)[number];

/** A time for each proposal that reached the stage, in milliseconds. */
export type Progress = Readonly<Record<Stage, number[]>>;

type Story = Followed & {
  readonly sent: Hex[];
  readonly seen: TransactionEvent["status"][];
  version: number;
};

export type Stories = {
  /** When proposals reached each stage, by `performance.now()`. */
  readonly progress: Progress;
  /** From the first attempt to propose to the stage. */
  readonly delays: Progress;
  /** Versions that a stream left out or repeated. */
  readonly gaps: readonly string[];
  readonly told: () => readonly Followed[];
  readonly accepted: () => readonly Hex[];
  /** A proposal was accepted, whose first attempt was at that time. */
  readonly add: (story: Omit<Followed, "sent" | "seen">, since: number) => void;
  readonly take: (event: TransactionEvent) => void;
};

type Options = {
  /** The wallet may send it. Called once for each. */
  readonly onReady: (story: Followed & { readonly sent: Hex[] }) => void;
  readonly onExecuted: () => void;
};

export function makeStories({ onReady, onExecuted }: Options): Stories {
  const stories = new Map<string, Story & { readonly since: number; isReady: boolean }>();
  /** The stream may be faster than the answer to the proposal. */
  const early = new Map<string, TransactionEvent[]>();
  const progress: Progress = { accepted: [], decided: [], executed: [] };
  const delays: Progress = { accepted: [], decided: [], executed: [] };
  const gaps: string[] = [];

  const note = (stage: Stage, since: number): void => {
    const now = performance.now();
    progress[stage].push(now);
    delays[stage].push(now - since);
  };
  const take = (event: TransactionEvent): void => {
    const { requestHash, version, status, phase } = event;
    const story = stories.get(requestHash);
    if (story === undefined) {
      early.set(requestHash, [...(early.get(requestHash) ?? []), event]);
      return;
    }
    if (version !== story.version + 1) gaps.push(`${requestHash}: version ${version} after ${story.version}`);
    story.version = version;
    const before = story.seen.at(-1);
    if (before !== status) {
      story.seen.push(status);
      if (before === "PENDING") note("decided", story.since);
      if (status === "EXECUTED") {
        note("executed", story.since);
        onExecuted();
      }
    }
    if (phase !== "READY" || story.isReady) return;
    story.isReady = true;
    onReady(story);
  };
  return {
    ...{ progress, delays, gaps, take },
    told: () => [...stories.values()],
    accepted: () => [...stories.values()].map(({ requestHash }) => requestHash),
    add: (story, since) => {
      const { requestHash } = story;
      stories.set(requestHash, { ...story, sent: [], seen: [], version: 0, since, isReady: false });
      note("accepted", since);
      const missed = early.get(requestHash) ?? [];
      early.delete(requestHash);
      for (const event of missed) take(event);
    },
  };
}
