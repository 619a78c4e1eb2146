import { expect, test } from "vitest";
import { loadProtocols } from "./load-protocols.ts";
import { describeEffect, normaliseExpected, readSample, samplesOf } from "../../test/protocols.ts";

const protocols = await loadProtocols();

// Signed data only: the samples of protocols without functions are read here.
test.each(samplesOf("uniswapx"))("$name", (sample) => {
  const seen = readSample(protocols, sample).effects.map(describeEffect);
  expect(seen).toMatchObject(normaliseExpected(sample.effects) as object[]);
});
