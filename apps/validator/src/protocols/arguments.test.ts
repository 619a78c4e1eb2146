import { describe, expect, test } from "vitest";
import { findUnnoticed, mutateSample } from "../testing/mutate-sample.ts";
import { loadProtocols } from "./load-protocols.ts";
import { samplesOf } from "./testing.ts";

const protocols = await loadProtocols();
const ids = [...protocols.all.keys()];
const all = ids.flatMap((id) => samplesOf(id).flatMap((sample) => mutateSample(protocols, sample)));
const unnoticed = findUnnoticed(all).map(({ sample, argument, how, use }) => ({
  argument,
  said: `${sample}: ${argument}: ${how} goes unnoticed (${use.kind})`,
}));

describe.each(ids)("arguments of %s", (id) => {
  test("every change of an argument is noticed, or the argument is declared inert", () => {
    const own = unnoticed.filter(({ argument }) => argument.startsWith(`${id}.`));
    expect(own.map(({ said }) => said)).toEqual([]);
  });
});
