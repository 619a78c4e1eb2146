import { readFileSync } from "node:fs"; import { gunzipSync } from "node:zlib";
import { startEngine } from "./test/real-engine.ts";
import { makeEnglish } from "./src/reading/lexicon/english.ts"; import { loadOrdinaryWords } from "./src/reading/lexicon/load-ordinary-words.ts"; import { makeVocabulary } from "./src/reading/lexicon/vocabulary.ts"; import { readRequest } from "./src/reading/read-request.ts";
import { languageOf } from "./src/words/language.ts"; import { readCharacters } from "./src/words/unicode.ts";
const { engine } = await startEngine();
const vocab = makeVocabulary(makeEnglish(loadOrdinaryWords(new URL("./data/words/en/", import.meta.url))), engine.lexicon);
const show = (r: any) => JSON.stringify(r, (k,v)=>k==="span"||v===null||(Array.isArray(v)&&v.length===0&&k!=="")?undefined:typeof v==="bigint"?String(v):v);
if (process.argv[2]==="-t") { const t0=performance.now(); const r = readRequest(process.argv[3]!, vocab, process.argv.slice(4)); console.log(performance.now()-t0); for (const x of r.readings) console.log(show(x)); console.log(r.unread); process.exit(0); }
for (const n of process.argv.slice(2)) {
  let ok=0, all=0, many=0, t=0, att=0, attR=0; const words = new Map<string,number>();
  for (const line of gunzipSync(readFileSync(`../../bench/outside/set-${n}.jsonl.gz`)).toString().trim().split("\n")) {
    const c = JSON.parse(line); const text = c.request.human_intent; if (typeof text!=="string") continue;
    if (languageOf(readCharacters(text).clean, engine.lexicon)!=="en") continue;
    const labels = Object.values(c.request.metadata?.known_addresses ?? {}).filter((x)=>typeof x==="string") as string[];
    const t0=performance.now(); const r = readRequest(text, vocab, labels); t+=performance.now()-t0;
    if (c.expected!=="PASS") { att++; if (r.readings.length) attR++; continue; }
    all++; if (r.readings.length>0) { ok++; if (r.readings.length>1) many++; } else { const u=r.unread[0]!; words.set(u.text,(words.get(u.text)??0)+1); console.log(`${c.id}\t${u.text} (${u.why.slice(0,12)})\t${text.replaceAll("\n","⏎")}`); }
  }
  console.error(`set ${n}: read ${ok}/${all} (${(100*ok/all).toFixed(1)}%) many ${many}; attacks read ${attR}/${att}; ${t.toFixed(0)} ms`);
  console.error([...words].sort((a,b)=>b[1]-a[1]).slice(0,40).map(([w,c])=>`${w}:${c}`).join(" "));
}
process.exit(0);
