// Firebase's Authentication emulator for the tests: `node auth.mjs FOLDER PROJECT`, where FOLDER has
// node_modules. Prints `ready ADDRESS`, and ends with its standard input.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [modules, project] = process.argv.slice(2);
const host = '127.0.0.1';

// Below the kernel's own ports, so that none of it is taken between being found and being used.
async function freePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const free = await new Promise((answer) => {
      const server = createServer();
      server.once('error', () => answer(false));
      server.listen(port, host, () => server.close(() => answer(true)));
    });
    if (free) return port;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dispatch-auth-'));
const port = await freePort();
const at = (port) => ({ host, port });
writeFileSync(
  join(folder, 'firebase.json'),
  JSON.stringify({
    emulators: {
      auth: at(port),
      hub: at(await freePort()),
      logging: at(await freePort()),
      ui: { enabled: false },
    },
  }),
);

const firebase = resolve(modules, 'node_modules/firebase-tools/lib/bin/firebase.js');
const emulator = spawn(
  process.execPath,
  [firebase, 'emulators:start', '--only', 'auth', '--project', project, '--non-interactive'],
  { cwd: folder, env: { ...process.env, CI: 'true' }, stdio: ['ignore', 'pipe', 'inherit'] },
);
let said = '';
emulator.stdout.on('data', (text) => {
  said += text;
  if (/All emulators ready/.test(said)) {
    said = '';
    console.log(`ready ${host}:${port}`);
  }
});
emulator.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  if (code) console.error(said);
  process.exit(code ?? 0);
});
process.stdin.on('end', () => emulator.kill('SIGKILL')).resume();
