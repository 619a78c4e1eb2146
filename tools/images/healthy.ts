// The health check of every image: exits with 0 if the service at this port is ready. The images have no shell and no curl.
const [, , port] = process.argv;
const isReady = await fetch(`http://127.0.0.1:${port ?? ""}/ready`, {
  signal: AbortSignal.timeout(4_000),
}).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isReady ? 0 : 1);
