import { describe, expect, test } from "vitest";
import { loadProtocols } from "./load-protocols.ts";
import {
  describeEffect,
  normaliseExpected,
  readSample,
  samplesOf,
  type Sample,
} from "../../test/protocols.ts";

const protocols = await loadProtocols();
const withFunctions = [...protocols.all]
  .filter(([, { functions }]) => functions.length > 0)
  .map(([id]) => id);

describe.each(withFunctions)("protocols/%s", (id) => {
  const samples: readonly Sample[] = samplesOf(id);

  test("has at least one sample", () => {
    expect(samples.length).toBeGreaterThan(0);
  });

  test.each(samples)("$name", (sample) => {
    const { effects } = readSample(protocols, sample);
    const seen = effects.map(describeEffect);
    expect(seen).toMatchObject(normaliseExpected(sample.effects) as object[]);
  });
});
