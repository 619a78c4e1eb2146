import { toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { findUnnoticed, mutateSample } from "../../test/mutate-sample.ts";
import { loadProtocols } from "./load-protocols.ts";
import { readSample, samplesOf } from "../../test/protocols.ts";

const protocols = await loadProtocols();
const ids = [...protocols.all.keys()];
const samples = ids.flatMap((id) => samplesOf(id));
const all = samples.flatMap((sample) => mutateSample(protocols, sample));
const unnoticed = findUnnoticed(all).map(({ sample, argument, how, use }) => ({
  argument,
  said: `${sample}: ${argument}: ${how} goes unnoticed (${use.kind})`,
}));

/** `aave_v3 0x617ba037`: the functions that a sample calls, directly or inside another call. */
const called = new Set(
  samples.flatMap((sample) =>
    readSample(protocols, sample).leaves.map(({ protocol, data }) => `${protocol} ${data.slice(0, 10)}`),
  ),
);
const signed = new Set(
  samples.flatMap(({ typedData }) => (typedData === undefined ? [] : [typedData.primaryType])),
);

describe.each(ids)("arguments of %s", (id) => {
  const protocol = protocols.all.get(id);

  test("every change of an argument is noticed, or the argument is declared inert", () => {
    const own = unnoticed.filter(({ argument }) => argument.startsWith(`${id}.`));
    expect(own.map(({ said }) => said)).toEqual([]);
  });

  test("every function and message has a sample", () => {
    const functions = protocol?.functions.filter(({ uses }) => uses !== "unread") ?? [];
    const missing = functions.filter(({ abi }) => !called.has(`${id} ${toFunctionSelector(abi)}`));
    const messages = protocol?.typedData?.filter(({ primaryType }) => !signed.has(primaryType)) ?? [];
    expect([
      ...missing.map(({ signature }) => signature),
      ...messages.map(({ primaryType }) => primaryType),
    ]).toEqual([]);
  });
});

test("at least 10,000 changes are tried", () => {
  const inert = all.filter(({ use }) => use.kind === "inert").length;
  const noticed = all.filter((one) => one.noticed).length;
  console.log(
    `${all.length} changes of ${new Set(all.map(({ argument }) => argument)).size} arguments in ${samples.length} samples: ` +
      `${noticed} noticed, ${inert} of inert arguments, ${all.length - noticed - inert} of bounds and conditions that still hold`,
  );
  expect(all.length).toBeGreaterThanOrEqual(10_000);
});
