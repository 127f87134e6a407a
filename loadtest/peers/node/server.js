// A small shop on Node: the same job that Dispatch does, as it is usually done with socket.io.
//
//     node server.js PORT ROWS.json DATABASE
//
// The database is better-sqlite3 on the main thread, as its own documentation has it: everything
// waits while a commit waits for the disk, but nothing hops to a worker thread and back.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Server } from "socket.io";

import { BY, Shop } from "./shop.js";

const TOKEN = "peer-token-of-the-load-test";
const TICK_MS = 5_000;
/** A request of 500 entries is a tenth of this. */
const BODY_BYTES = 1 << 20;
const CLOSE_MS = 5_000;

const [port, rows, database] = process.argv.slice(2);
if (database === undefined) {
  console.error("usage: node server.js PORT ROWS.json DATABASE");
  process.exit(2);
}

const shop = new Shop(database);
if (shop.isEmpty()) shop.take(JSON.parse(readFileSync(rows, "utf8")).result);

const http = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => send(response, status, body),
    (error) => {
      console.error(error);
      send(response, 500, { ok: false, error: "Something went wrong", code: "internal" });
    },
  );
});

// As it comes, that is without compression of messages and without connection state recovery: the
// in-memory adapter's does not outlive the process, and leaving it off saves what it costs.
const io = new Server(http, { path: "/ws", addTrailingSlash: false, serveClient: false });

// What socket.io's page on memory says: the request of the handshake is of no more use.
io.engine.on("connection", (session) => {
  session.request = null;
});

io.use((socket, next) => {
  if (socket.handshake.auth.token === TOKEN) return next();
  const error = new Error("Sign in again");
  error.data = { code: "unauthenticated" };
  next(error);
});

// Nothing is awaited between joining the broadcasts and this, so no event comes before it.
io.on("connection", (socket) => socket.emit("hello", ...progress()));

setInterval(() => io.emit("tick", ...progress()), TICK_MS);

/** How far the stream is; a string as the last argument is what clients keep as the offset. */
function progress() {
  return [{ seq: shop.seq, now: new Date().toISOString() }, String(shop.seq)];
}

async function answer(request) {
  switch (`${request.method} ${request.url}`) {
    case "POST /api/auth/sign-in":
      await read(request);
      return ok({ idToken: TOKEN, expiresIn: 3600, user: BY });
    case "GET /api/repair-orders":
      return signedIn(request, () => ({ status: 200, body: shop.list() }));
    case "POST /api/repair-orders/update-status":
      return signedIn(request, async () => change(shop.readStatus, await read(request)));
    case "POST /api/repair-orders/update-priority":
      return signedIn(request, async () => change(shop.readPriority, await read(request)));
    default:
      return refuse(404, "not-found", "There is nothing here");
  }
}

function signedIn(request, act) {
  if (request.headers.authorization === `Bearer ${TOKEN}`) return act();
  return refuse(401, "unauthenticated", "Sign in again");
}

/** Durable first, then announced, then answered. */
function change(readEntry, body) {
  if (!Array.isArray(body?.data) || body.data.length === 0) {
    return refuse(400, "invalid-request", "data is empty: send at least one entry");
  }
  const { results, events } = shop.change(body.data.map(readEntry));
  for (const event of events) io.emit("RO_MODIFIED", event, String(event.seq));

  const refused = results.filter((result) => !result.ok).length;
  if (refused === 0) return ok(results);
  if (results.length === 1) {
    const { status, ok, error, code, current } = results[0];
    return { status, body: { ok, error, code, current } };
  }
  const result = results.map(({ status, ...rest }) => rest);
  const error = `${refused} of ${results.length} entries were refused`;
  return { status: 200, body: { ok: false, result, error, code: "some-refused" } };
}

/** The body as JSON; undefined where it is none. */
async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function ok(result) {
  return { status: 200, body: { ok: true, result } };
}

function refuse(status, code, error) {
  return { status, body: { ok: false, error, code } };
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    // Whoever does not let go is cut off: every change is durable already.
    setTimeout(() => process.exit(0), CLOSE_MS).unref();
    io.close(() => {
      shop.close();
      process.exit(0);
    });
  });
}

http.listen(Number(port), "127.0.0.1", 4_096, () => {
  console.log(`ready at http://127.0.0.1:${http.address().port}`);
});
