// An OpenID Connect provider that anybody may sign in at, by the names it was told. It listens on
// 127.0.0.1 and calls itself so, or what it is started with. It prints its issuer, and answers 503 until it is told by POST /test/configure what it is:
//   redirectUris   where the one client may be led back to
//   accounts       name -> what is claimed of them
//   inIdToken      whether that is in the ID token (else at the userinfo endpoint alone)
//   spoil          how its ID tokens are made wrong from now on, as no real provider would
//   newKey         true: signs with a key that nobody has seen yet
// GET /test/asked tells how often each of its addresses was asked for. POST /test/open starts one more provider in this
// process, with people and keys of its own, and tells its issuer.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// What it is made of is installed where it is started.
const installed = createRequire(join(process.cwd(), "package.json"));
const load = (name) => import(pathToFileURL(installed.resolve(name)));
const { Provider } = await load("oidc-provider");
const { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } =
  await load("jose");

const CLIENT = { client_id: "dispatch", client_secret: "a secret with a / and a +" };

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg: "RS256", use: "sig", kid: crypto.randomUUID() };
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString());
}

// Gives the issuer.
async function open() {
  let issuer;
  let key;
  let serve;
  let settings = { accounts: {}, redirectUris: [], inIdToken: true, spoil: null };
  const asked = {};

  function claimsOf(name) {
    return { sub: name, ...settings.accounts[name] };
  }

  // The provider's own token, with one thing wrong.
  async function spoiled(token) {
    const claims = decodeJwt(token);
    let signing = key;
    let alg = "RS256";
    switch (settings.spoil) {
      case "nonce":
        claims.nonce = "somebody else's";
        break;
      case "no nonce":
        delete claims.nonce;
        break;
      case "audience":
        claims.aud = "payroll";
        break;
      case "more audiences":
        claims.aud = ["dispatch", "payroll"];
        break;
      case "authorized party":
        claims.azp = "payroll";
        break;
      case "issuer":
        claims.iss = "https://elsewhere.example";
        break;
      case "expired":
        claims.exp = Math.floor(Date.now() / 1000) - 3600;
        break;
      case "no expiry":
        delete claims.exp;
        break;
      case "subject":
        claims.sub = "somebody else";
        break;
      case "key":
        signing = { ...(await newKey()), kid: key.kid };
        break;
      case "unknown key":
        signing = await newKey();
        break;
      case "unsigned":
        return new UnsecuredJWT(claims).encode();
      case "secret":
        // The client's secret as the key: whoever can read a configuration could sign.
        alg = "HS256";
        return new SignJWT(claims)
          .setProtectedHeader({ alg })
          .sign(new TextEncoder().encode(CLIENT.client_secret));
      case "rubbish":
        return "not.a.token";
      case "none":
        return undefined;
      case "own key":
        // Nothing wrong: only signed once more.
        break;
      default:
        throw new Error(`cannot spoil: ${settings.spoil}`);
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: signing.kid })
      .sign(await importJWK(signing, alg));
  }

  async function configure(told) {
    settings = { ...settings, ...told };
    if (told.newKey || !key) key = await newKey();
    const provider = new Provider(issuer, {
      clients: [{ ...CLIENT, redirect_uris: settings.redirectUris }],
      jwks: { keys: [key] },
      claims: {
        email: ["email", "email_verified"],
        profile: ["name", "roles", "realm_access"],
      },
      conformIdTokenClaims: !settings.inIdToken,
      pkce: { required: () => true },
      findAccount: (_, name) => ({ accountId: name, claims: () => claimsOf(name) }),
      cookies: { keys: ["for tests"] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
    });
    provider.on("server_error", (_, error) => console.error(error));
    provider.use(async (context, next) => {
      await next();
      if (settings.spoil && context.oidc?.route === "token" && context.body?.id_token) {
        context.body = { ...context.body, id_token: await spoiled(context.body.id_token) };
      }
    });
    serve = provider.callback();
  }

  const server = createServer(async (request, response) => {
    if (request.url === "/test/configure") {
      await configure(await bodyOf(request));
      response.end("{}");
    } else if (request.url === "/test/open") {
      response.end(await open());
    } else if (request.url === "/test/asked") {
      response.end(JSON.stringify(asked));
    } else {
      const path = request.url.split("?")[0];
      asked[path] = (asked[path] ?? 0) + 1;
      if (serve) {
        serve(request, response);
      } else {
        response.writeHead(503).end();
      }
    }
  });

  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  issuer = `http://${process.argv[2] ?? "127.0.0.1"}:${server.address().port}`;
  return issuer;
}

console.log(await open());
// Whoever started it is gone.
process.stdin.on("end", () => process.exit()).resume();
