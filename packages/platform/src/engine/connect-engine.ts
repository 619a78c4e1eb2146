import { connect, HttpCallError, Opts, SendOpts } from "@restatedev/restate-sdk-clients";
import { inSpan } from "../trace/index.ts";
import type { FlowInput } from "./define-flow.ts";
import { probeName } from "./probe.ts";

export type Engine = {
  /** Starts the flow for that row. Idempotent while the engine remembers the flow. */
  readonly start: (flow: string, input: FlowInput) => Promise<void>;
  /** Wakes a sleeping flow. Accepted even while no worker is running. */
  readonly wake: (flow: string, input: FlowInput, wake: number) => Promise<void>;
  /** Whether a run of that flow has begun and not ended. The engine forgets runs only after they have ended. */
  readonly isRunning: (flow: string, run: string) => Promise<boolean>;
  /** Makes a real call through the engine to our own handler and back. */
  readonly probe: () => Promise<void>;
};

const patience = { timeout: 2_500 };

/** A retried row is a new flow for the engine, so that the state of the old one does not interfere. */
const engineKey = ({ key, attempt }: FlowInput): string => (attempt === 1 ? key : `${key}~${attempt}`);

/** 404: the engine has no such run. Other statuses are not about the run: an engine without its worker still has it. */
const hasNoOutput = (error: unknown): boolean => error instanceof HttpCallError && error.status === 404;

/** The engine learns of a trace from the flow's input only, which it keeps. */
const tell = async (handler: string, flow: string, send: () => Promise<unknown>): Promise<void> => {
  const attributes = { "peer.service": "engine", "countersign.flow": flow };
  await inSpan(`${handler} engine`, { kind: "client", attributes }, send);
};

export function connectEngine({
  app,
  ingressUrl,
}: {
  readonly app: string;
  readonly ingressUrl: string;
}): Engine {
  const ingress = connect({ url: ingressUrl });
  return {
    start: (flow, input) =>
      tell("start", flow, () =>
        ingress.send<unknown>({
          service: flow,
          handler: "run",
          key: engineKey(input),
          parameter: input,
          opts: SendOpts.from(patience),
        }),
      ),
    wake: (flow, input, wake) =>
      tell("wake", flow, () =>
        ingress.send<unknown>({
          service: flow,
          handler: "wake",
          key: engineKey(input),
          parameter: wake,
          opts: SendOpts.from(patience),
        }),
      ),
    isRunning: async (flow, run) => {
      const client = ingress.workflowClient<{ readonly run: () => Promise<unknown> }>({ name: flow }, run);
      try {
        return !(await client.workflowOutput(Opts.from(patience))).ready;
      } catch (error) {
        if (hasNoOutput(error)) return false;
        throw error;
      }
    },
    probe: async () => {
      await ingress.call<unknown, unknown>({
        service: probeName(app),
        handler: "answer",
        parameter: undefined,
        opts: Opts.from(patience),
      });
    },
  };
}
