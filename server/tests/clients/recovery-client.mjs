// The official client, unmodified, several at once: node recovery-client.mjs '{"token", "clients": [{"url", "transports"}]}'
// Prints a line of JSON for whatever happens to a client: {client, event, ...}. Only the time before it comes back is
// shorter than the default.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../web/package.json', import.meta.url));
const { io } = require('socket.io-client');

const { token, clients } = JSON.parse(process.argv[2]);

clients.forEach(({ url, transports }, client) => {
  const say = (event, more) => process.stdout.write(`${JSON.stringify({ client, event, ...more })}\n`);
  const socket = io(url, {
    path: '/ws',
    transports,
    auth: { token },
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  socket.on('connect', () => say('connect', { recovered: socket.recovered }));
  socket.on('connect_error', (error) => {
    if (!socket.active) {
      say('refused', { why: error.message });
    }
  });
  socket.on('disconnect', (reason) => say('disconnect', { reason }));
  socket.io.on('open', () => socket.io.engine.once('upgrade', () => say('upgrade', {})));
  socket.on('hello', ({ seq }) => say('hello', { seq }));
  socket.on('tick', ({ seq }) => say('tick', { seq }));
  socket.on('RO_MODIFIED', ({ seq, roNumber, version, rows }) => say('RO_MODIFIED', { seq, roNumber, version, rows }));
});
