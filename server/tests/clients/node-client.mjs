// The official client, unmodified: node node-client.mjs URL TOKEN COUNT [TRANSPORT]
// Polls first and upgrades, as it does by default, or stays with one transport.
// Prints {seq} at hello, then, once it heard COUNT changes and after them that it has an order open,
// {seqs, offset, transport}: what it heard, the offset it would resume from, and by what it hears now.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../web/package.json', import.meta.url));
const { io } = require('socket.io-client');

const [url, token, count, transport] = process.argv.slice(2);
const seqs = [];

const transports = transport ? { transports: [transport] } : {};
const socket = io(url, { path: '/ws', auth: { token }, ...transports });

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
  console.log(JSON.stringify({ seq }));
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
    const transport = socket.io.engine.transport.name;
    console.log(JSON.stringify({ seqs, offset: socket._lastOffset, transport }));
    socket.disconnect();
  });
});
