// A Firestore for the tests, on a free port of this machine: `node firestore.mjs FOLDER`, where
// FOLDER has node_modules. Prints `ready ADDRESS`, and ends with its standard input.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(resolve(process.argv[2], 'package.json'));
const { FirestoreServer } = require('@firestore-emulator/server');
const { ServerCredentials } = require('@grpc/grpc-js');

// Its own start() listens on every address of the machine.
new FirestoreServer().server.bindAsync(
  '127.0.0.1:0',
  ServerCredentials.createInsecure(),
  (error, port) => {
    if (error) throw error;
    console.log(`ready 127.0.0.1:${port}`);
  },
);

process.stdin.on('end', () => process.exit(0)).resume();
