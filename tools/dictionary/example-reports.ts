// Reports of requests that are in this repository: the examples on the checks' pages, the canonical request of each protocol's
// samples, and payments with a proven state. The clock is fixed, so the same checkout gives the same reports.
import { sampleTransactions } from "../../apps/validator/test/corpus.ts";
import { startEngine, type RealEngine } from "../../apps/validator/test/real-engine.ts";
import { bodyOf } from "../../apps/validator/test/round-trip.ts";
import { someRequests } from "../../apps/validator/test/some-requests.ts";
import {
  aRequest,
  anAgreement,
  aState,
  million,
  noAgreement,
  transferData,
} from "../../apps/validator/test/state.ts";
import { describeTransaction } from "../../apps/validator/src/validate/describe.ts";
import type { Verdict } from "../../apps/validator/src/validate/validate.ts";

const examplesOf = (section: string): readonly string[] =>
  [...section.matchAll(/^```json\n([^]*?)^```/gm)].map(([, text = ""]) => text);

const fromPages = ({ engine }: RealEngine): readonly string[] =>
  engine.nodes.flatMap(({ page }) => [...page.sections.values()].flatMap(examplesOf));

const fromSamples = ({ engine }: RealEngine): readonly string[] =>
  sampleTransactions().flatMap((sample) => {
    const body = bodyOf(sample);
    const { request } = describeTransaction(body, engine, 0);
    return request === null ? [] : [JSON.stringify({ human_intent: request, ...body })];
  });

/** Several of each, so that what these reports have in common counts. */
async function fromStates(): Promise<readonly string[]> {
  const requests: string[] = [];
  for (const amount of [10n, 25n, 60n, 100n, 250n, 400n]) {
    const sent = amount * million;
    const state = await aState({ held: 5n * sent, call: { data: transferData(sent) } });
    requests.push(
      ...[
        undefined,
        await anAgreement(state),
        noAgreement(state, "the second engine did not answer in time"),
      ].map((agreement) => JSON.stringify(aRequest(state, sent, agreement))),
    );
  }
  return requests;
}

export async function listExampleReports(): Promise<readonly Verdict[]> {
  const real = await startEngine();
  const shapes = someRequests.map((request) => JSON.stringify(request));
  const reports: Verdict[] = [];
  for (const text of [...fromPages(real), ...shapes, ...fromSamples(real), ...(await fromStates())]) {
    const report = await real.ask(text);
    if (report !== null) reports.push(report);
  }
  return reports;
}
