// npm run selftest: verifies the properties that this benchmark claims.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TypedDataEncoder, getAddress } from "ethers";
import { ATTACKS } from "./attacks/index.ts";
import { buildCases } from "./cases/build.ts";
import { checkLabels } from "./oracle/check.ts";
import { TELL_LIMIT, tellTest } from "./run/tell.ts";
import { rate } from "./run/metrics.ts";
import { ENGLISH } from "./words/compose.ts";

const HERE = import.meta.dirname;
const done = (what: string): void => {
  console.log(`ok  ${what}`);
};
const hash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

function sources(dir = HERE): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

function checkDeterminism(): ReturnType<typeof buildCases> {
  const options = { seed: 7, cases: 1500 };
  const first = buildCases(options);
  assert.equal(hash(first.cases), hash(buildCases(options).cases), "the same seed gives the same cases");
  assert.notEqual(
    hash(first.cases),
    hash(buildCases({ ...options, seed: 8 }).cases),
    "different seeds give different cases",
  );
  done("the same seed gives the same bytes");
  return first;
}

function checkTwins(cases: ReturnType<typeof buildCases>["cases"]): void {
  for (const item of cases.filter((c) => c.split === "attack")) {
    const twin = cases.find((c) => c.pair === item.pair && c.split === "twin");
    assert(twin, `${item.id} has a twin`);
    assert.notEqual(hash(item.request), hash(twin.request), `${item.id} differs from its twin`);
  }
  assert.equal(new Set(cases.map((c) => c.id)).size, cases.length, "ids are unique");
  done("every attack has a twin that differs from it");
}

function checkClasses(cases: ReturnType<typeof buildCases>["cases"]): void {
  assert(ATTACKS.length >= 40);
  assert.equal(new Set(ATTACKS.map((a) => a.id)).size, ATTACKS.length, "class ids are unique");
  const seen = new Set(cases.map((c) => c.klass));
  for (const attack of ATTACKS) {
    assert(seen.has(attack.id), `${attack.id} produced cases`);
    assert(attack.nodes.length > 0, `${attack.id} names the checks that describe it`);
  }
  done(`${ATTACKS.length} classes, all produced cases`);
}

function checkAddresses(): void {
  for (const path of sources().filter((p) => p.includes("data/"))) {
    for (const [address] of readFileSync(path, "utf8").matchAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g))
      assert.equal(getAddress(address), address, `${address} in ${path} is checksummed`);
  }
  done("every address in data/ is checksummed");
}

function checkIndependence(): void {
  const marks = ["Date.now(", "Math.random(", "apps/validator/", "packages/"];
  for (const path of sources().filter((p) => !p.endsWith("selftest.ts"))) {
    const text = readFileSync(path, "utf8");
    for (const mark of marks) assert(!text.includes(mark), `${path} must not contain ${mark}`);
  }
  done("no clock, no randomness and no product code in the generator");
}

/** ethers hashes a message only if it fits its types. */
function checkTypedData(cases: ReturnType<typeof buildCases>["cases"]): void {
  let count = 0;
  for (const { id, request } of cases) {
    const order = request.proposed_tx.order;
    if (!order) continue;
    const { EIP712Domain: _domain, ...types } = order.types;
    assert.doesNotThrow(
      () => TypedDataEncoder.hash(order.domain, types, order.message),
      `${id} is valid typed data`,
    );
    assert.equal(TypedDataEncoder.getPrimaryType(types), order.primaryType, `${id} names its primary type`);
    count++;
  }
  done(`${count} typed-data payloads can be hashed`);
}

function checkPhrases(): void {
  for (const [action, list] of Object.entries(ENGLISH)) {
    assert(list.length >= 12, `${action} has twelve phrasings`);
    assert.equal(new Set(list).size, list.length, `${action} repeats no phrasing`);
  }
  done("at least twelve English phrasings per action");
}

const set = checkDeterminism();
checkTwins(set.cases);
checkClasses(set.cases);
checkAddresses();
checkTypedData(set.cases);
checkIndependence();
checkPhrases();
const wilson = rate(0, 300);
assert(wilson.high > 0.01 && wilson.high < 0.014, "Wilson bound for 0 of 300");
const tell = tellTest(set.cases);
assert(tell.auc <= TELL_LIMIT, `tell test AUC ${tell.auc}`);
done(`tell test AUC ${tell.auc.toFixed(3)}`);
const oracle = await checkLabels(set.labelled, 400);
assert(oracle.checked * 10 >= oracle.labels, "at least a tenth of the labels is executed");
done(`the EVM agrees with ${oracle.checked} of ${oracle.labels} labels`);
