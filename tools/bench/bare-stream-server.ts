// A stream per request on Node alone, on which nothing happens after its first frame.
import { createServer } from "node:http";
import { Readable } from "node:stream";

const [, , port] = process.argv;
createServer((_request, response) => {
  const stream = new Readable({ read: () => undefined });
  response.writeHead(200, { "content-type": "text/event-stream" });
  stream.pipe(response);
  stream.push("data: \n\n");
}).listen(Number(port), "127.0.0.1");
