"""A browser's half of Web Push, by implementations that are not the server's: makes a browser's keys,
or opens what came for it. Prints a line of JSON.

Arguments:
  keys              a browser's keys
  open              reads {privateKey, auth, body, authorization, publicKey} from standard input, all in
                    base64url but the authorization; the message, the signature's head and its claims.
                    Fails where the message or the signature is not as RFC 8291 and RFC 8292 say
"""

import base64
import json
import os
import re
import sys

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def keys():
    private = ec.generate_private_key(CURVE)
    point = private.public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    number = private.private_numbers().private_value
    return {
        "privateKey": encode(number.to_bytes(32, "big")),
        "p256dh": encode(point),
        "auth": encode(os.urandom(16)),
    }


def opened(given):
    number = int.from_bytes(decode(given["privateKey"]), "big")
    message = http_ece.decrypt(
        decode(given["body"]),
        private_key=ec.derive_private_key(number, CURVE),
        auth_secret=decode(given["auth"]),
        version="aes128gcm",
    )
    token, key = re.fullmatch(
        r"vapid t=([^,]+), k=(\S+)", given["authorization"]
    ).groups()
    assert key == given["publicKey"], key
    head, claims, signature = token.split(".")
    r, s = decode(signature)[:32], decode(signature)[32:]
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(key))
    public.verify(
        encode_dss_signature(int.from_bytes(r, "big"), int.from_bytes(s, "big")),
        f"{head}.{claims}".encode(),
        ec.ECDSA(hashes.SHA256()),
    )
    return {
        "message": json.loads(message),
        "head": json.loads(decode(head)),
        "claims": json.loads(decode(claims)),
    }


if sys.argv[1] == "keys":
    print(json.dumps(keys()))
else:
    print(json.dumps(opened(json.load(sys.stdin))))
