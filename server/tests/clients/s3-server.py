"""An S3 server on this machine: moto, behind a door that checks what moto does not look at, signatures in addresses by
botocore's own reckoning and Content-MD5. It has the bucket 'shop'. Prints a line of JSON with its port, then one for each
upload that begins.

Arguments: any of
  port=N            listens there
  slow              takes 64 KiB of an upload each tenth of a second
  cutting           hangs up in the middle of the first upload

What the tests may do without a signature:
  GET /-/objects            the keys, with how many bytes each has
  GET /-/objects/KEY        what is in one
  PUT /-/objects/KEY        puts one there
"""

import base64
import hashlib
import io
import json
import logging
import socket
import struct
import sys
import time
from urllib.parse import parse_qsl, unquote, urlencode

from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.core import DEFAULT_ACCOUNT_ID
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

KEY = "AKIATESTS4389"
SECRET = "a/secret+of-the-tests"
BUCKET = "shop"
REGION = "us-east-1"
PIECE = 64 * 1024
traits = sys.argv[1:]

logging.disable(logging.CRITICAL)
backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
backend.create_bucket(BUCKET, REGION)


def say(line):
    print(json.dumps(line), flush=True)


def answer(start, status, body=b"", kind="application/xml"):
    start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
    return [body]


def refuse(start, status, code):
    return answer(start, status, f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode())


def expected_signature(environ, query):
    """By an implementation that is not the product's."""
    address = f"http://{environ['HTTP_HOST']}{environ['RAW_URI'].split('?')[0]}"
    unsigned = {name: value for name, value in query.items() if name != "X-Amz-Signature"}
    request = AWSRequest(environ["REQUEST_METHOD"], f"{address}?{urlencode(unsigned)}", {"host": environ["HTTP_HOST"]})
    request.context["timestamp"] = query["X-Amz-Date"]
    auth = S3SigV4QueryAuth(Credentials(KEY, SECRET), "s3", REGION)
    return auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)


def why_refused(environ):
    query = dict(parse_qsl(environ["QUERY_STRING"], keep_blank_values=True))
    key, _, region, *_ = query.get("X-Amz-Credential", "").split("/") + ["", "", ""]
    if key != KEY:
        return "403 Forbidden", "InvalidAccessKeyId"
    if region != REGION:
        return "400 Bad Request", "AuthorizationQueryParametersError"
    if query.get("X-Amz-Signature") != expected_signature(environ, query):
        return "403 Forbidden", "SignatureDoesNotMatch"
    return None


def hang_up(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    raise ConnectionAbortedError


def body_of(environ):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if environ["REQUEST_METHOD"] == "PUT":
        say({"upload": environ["PATH_INFO"], "bytes": length})
    body = b""
    while len(body) < length:
        piece = environ["wsgi.input"].read(min(PIECE, length - len(body)))
        if not piece:
            break
        body += piece
        if "cutting" in traits:
            traits.remove("cutting")
            hang_up(environ["werkzeug.socket"])
        if "slow" in traits:
            time.sleep(0.1)
    return body, length


def of_the_tests(environ, start):
    key = unquote(environ["PATH_INFO"].removeprefix("/-/objects").removeprefix("/"))
    if environ["REQUEST_METHOD"] == "PUT":
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        backend.put_object(BUCKET, key, body)
        return answer(start, "200 OK")
    if key:
        return answer(start, "200 OK", backend.get_object(BUCKET, key).value, "application/octet-stream")
    keys = {name: key.size for name, key in backend.buckets[BUCKET].keys.items()}
    return answer(start, "200 OK", json.dumps(keys).encode(), "application/json")


class Door:
    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start):
        if environ["PATH_INFO"].startswith("/-/objects"):
            return of_the_tests(environ, start)
        refused = why_refused(environ)
        if refused:
            return refuse(start, *refused)
        body, length = body_of(environ)
        if len(body) < length:
            return refuse(start, "400 Bad Request", "IncompleteBody")
        claimed = environ.get("HTTP_CONTENT_MD5")
        if claimed and claimed != base64.b64encode(hashlib.md5(body).digest()).decode():
            return refuse(start, "400 Bad Request", "BadDigest")
        environ["wsgi.input"] = io.BytesIO(body)
        return self.app(environ, start)


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


port = next((int(one.removeprefix("port=")) for one in traits if one.startswith("port=")), 0)
app = Door(DomainDispatcherApplication(create_backend_app))
server = make_server("127.0.0.1", port, app, threaded=True, request_handler=Quiet)
say({"port": server.port})
server.serve_forever()
