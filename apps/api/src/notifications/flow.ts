import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import { defineDurableFlow, type FlowStore } from "../platform/flows/index.ts";
import type { Deliver } from "./deliver.ts";
import { channelOf, flowName } from "./run-key.ts";

type Parts = { readonly flowStore: FlowStore; readonly clock: Clock; readonly deliver: Deliver };

/** Bounds the journal of one run. The next run continues. */
const mostSteps = 20;

/** Sends the messages of a channel until none is to be sent now. Pauses are in the database, not in the flow. */
export const makeNotifyFlow = ({ flowStore, clock, deliver }: Parts): Flow =>
  defineDurableFlow(
    {
      name: flowName,
      run: async ({ key, step }) => {
        const channelId = channelOf(key);
        for (let turn = 1; turn <= mostSteps; turn++)
          if (!(await step(`deliver ${turn}`, () => deliver(channelId)))) return;
      },
    },
    { store: flowStore, clock },
  );
