// The official client, unmodified: node node-client.mjs URL TOKEN COUNT
// Prints {seq, transport} at hello, then, once it heard COUNT changes and after them that it has an order open,
// {seqs, offset}: what it heard, and the offset it would resume from.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../web/package.json', import.meta.url));
const { io } = require('socket.io-client');

const [url, token, count] = process.argv.slice(2);
const seqs = [];

const socket = io(url, { path: '/ws', transports: ['websocket'], auth: { token }, reconnection: false });

const fail = (why) => {
  console.error(`${why}; heard ${JSON.stringify(seqs)}`);
  process.exit(1);
};

socket.on('connect_error', (error) => fail(`refused: ${error.message}`));
socket.on('disconnect', (reason) => {
  if (reason !== 'io client disconnect') {
    fail(`closed: ${reason}`);
  }
});
socket.on('connect', () => {
  // The client keeps offsets only from servers that name a pid.
  socket._pid ??= 'none';
});
socket.on('hello', ({ seq }) => {
  console.log(JSON.stringify({ seq, transport: socket.io.engine.transport.name }));
});
socket.on('RO_MODIFIED', (message) => {
  seqs.push(message.seq);
  if (seqs.length === Number(count)) {
    socket.emit('RO_OPEN', { roNumber: message.roNumber });
  }
});
socket.on('RO_PRESENCE', () => {
  // The client takes an event's offset after its listeners.
  queueMicrotask(() => {
    console.log(JSON.stringify({ seqs, offset: socket._lastOffset }));
    socket.disconnect();
  });
});
