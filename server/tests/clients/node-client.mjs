// The official client, unmodified: node node-client.mjs URL TOKEN COUNT
// Prints {seq, transport} at hello, then {seqs} once it heard COUNT changes.
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
socket.on('hello', ({ seq }) => {
  console.log(JSON.stringify({ seq, transport: socket.io.engine.transport.name }));
});
socket.on('RO_MODIFIED', (message) => {
  seqs.push(message.seq);
  if (seqs.length === Number(count)) {
    console.log(JSON.stringify({ seqs }));
    socket.disconnect();
  }
});
