// Lets an agent ask its owner for a mandate. Only the owner's wallet grants one.
import { requireScopes, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Log } from "@countersign/platform/log";
import { Draft, requestView, RequestView, type AskForMandate } from "../mandates/index.ts";
import { proposerOf } from "../transactions/index.ts";
import { advertiseInput, advertiseOutput } from "./advertise.ts";
import type { Given } from "./session-subscriptions.ts";
import { parseArguments, toolError } from "./tool-errors.ts";

export type RequestMandateParts = {
  readonly askForMandate: AskForMandate;
  readonly log: Log;
};

/** The agent is the caller: it cannot ask for another one. */
const Input = z.strictObject(Draft.shape).omit({ agent: true });

const inputSchema = advertiseInput(Input, {
  purpose: "What you would use it for, in a few words that the owner understands.",
  acts: "What you would do, such as transfer or swap.",
  assets: "CAIP-19 ids such as eip155:1/slip44:60 for ETH or eip155:1/erc20:0x… for a token.",
  recipients: 'CAIP-10 ids such as eip155:1:0x… of everyone who would benefit, or only "*" for anyone.',
  limits:
    "What you need at most. Each asset needs a limit with another span than transaction. Ask for no more than the user's task needs.",
  validFrom: "Unix seconds. Default: now.",
  validUntil: "Unix seconds, at most a year after validFrom.",
});

const Output = RequestView.extend({ next: z.string().meta({ description: "What to do now." }) });
const outputSchema = advertiseOutput(Output);

const description =
  "Ask the owner for a mandate: a standing permission for you to act without asking, within limits. This grants nothing. The owner reads it and signs " +
  "it with their wallet, changes it, or declines. Until then every payment that needs the owner still does.";

const next =
  "Tell the owner that a request for a mandate waits for them. Only their wallet can grant it. Go on with requestVerification as before.";

export function registerRequestMandate(
  server: McpServer,
  { askForMandate, log }: RequestMandateParts,
  { principal: { caller, account } }: Given,
): void {
  server.registerTool(
    "requestMandate",
    {
      title: "Ask the owner for a mandate",
      ...{ description, inputSchema, outputSchema },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      scopeChallenge: requireScopes("transactions:create:own"),
    },
    async (sent) => {
      try {
        const agent = proposerOf(caller);
        const draft = parseArguments(Draft, { ...parseArguments(Input, sent), agent });
        const answer = { ...requestView(await askForMandate({ account, agent }, draft)), next };
        return { structuredContent: answer, content: [{ type: "text", text: JSON.stringify(answer) }] };
      } catch (error) {
        return toolError(error, log);
      }
    },
  );
}
