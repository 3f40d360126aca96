// A server between the page and its server, which can die and come back.
import { createServer, request } from 'node:http';

/** Starts a relay to the server at an address; returns its own address, and functions that stop and restart it. */
export async function relay(target) {
  const sockets = new Set();
  const server = createServer((asked, answer) => {
    const up = request(new URL(asked.url.slice(1), target), { method: asked.method, headers: asked.headers }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    up.on('error', () => answer.destroy());
    answer.on('close', () => up.destroy());
    asked.pipe(up);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = (port) => new Promise((resolve) => { server.listen(port, '127.0.0.1', resolve); });
  await listen(0);
  const { port } = server.address();
  const kill = async () => {
    const closed = new Promise((resolve) => { server.close(resolve); });
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { address: `http://127.0.0.1:${port}/`, kill, restart: () => listen(port) };
}
