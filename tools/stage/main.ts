// node tools/stage/main.ts: runs a scenario of each kind without crashes, and writes places.json.
import { listPlaces, onceEach, writePlaces } from "./places.ts";
import { setStage } from "./stage.ts";
import { makeTeller } from "./story.ts";

const stage = await setStage();
try {
  stage.chain.mineEvery(200);
  const kinds = ["user", "direct", "agent", "custody", "rejected", "expired", "lapsed", "unjudged"] as const;
  const cases = onceEach(await listPlaces(stage, makeTeller(stage), kinds));
  writePlaces(cases);
  console.log(`wrote ${cases.length} places to tools/stage/places.json`);
} finally {
  await stage.end();
}
