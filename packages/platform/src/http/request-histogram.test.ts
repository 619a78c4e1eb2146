import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { makeRequestHistogram } from "./request-histogram.ts";

const labels = { method: "GET", route: "/a", status: 200 };

test("counts each request in its bucket and all larger ones, by route and status", async () => {
  const { observe, metric } = makeRequestHistogram();
  const registry = new Registry();
  registry.setDefaultLabels({ app: "test" });
  registry.registerMetric(metric);
  for (const seconds of [0.0005, 0.001, 0.2, 31]) observe({ ...labels, seconds });
  observe({ ...labels, status: 404, seconds: 0.002 });
  const text = await registry.metrics();
  const of = (status: number) => `method="GET",route="/a",status="${status}",app="test"`;
  expect(text).toContain("# TYPE http_request_duration_seconds histogram");
  for (const [le, count] of [
    ["0.001", 2],
    ["0.1", 2],
    ["0.5", 3],
    ["30", 3],
    ["+Inf", 4],
  ])
    expect(text).toContain(`http_request_duration_seconds_bucket{le="${le}",${of(200)}} ${count}`);
  expect(text).toContain(`http_request_duration_seconds_sum{${of(200)}} 31.2015`);
  expect(text).toContain(`http_request_duration_seconds_count{${of(200)}} 4`);
  expect(text).toContain(`http_request_duration_seconds_bucket{le="0.005",${of(404)}} 1`);
});
