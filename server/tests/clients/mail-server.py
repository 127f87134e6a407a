"""A mail server on this machine that keeps what it is given: prints a line of JSON with its port,
then one for each letter.

Arguments: the file for the certificate of its authority, then any of
  starttls          offers STARTTLS, and takes mail over TLS only
  tls               is TLS from the first byte
  auth              wants the user 'desk' with the password 's3cret @/:'
  seven-bit         says nothing of 8BITMIME
  busy              refuses the first letter for now
  rejecting         has no mailbox at all
  quoting           refuses every letter for good, and quotes its link
  dropping          takes the first letter and hangs up instead of saying so
  deaf              accepts connections and says nothing
  port=N            listens there
"""

import asyncio
import email
import email.policy
import json
import logging
import ssl
import sys
import warnings

import trustme
from aiosmtpd.smtp import SMTP, AuthResult

authority, *traits = sys.argv[1:]

# What clients do wrong is what the tests are about.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


class Letters:
    def __init__(self):
        self.refusals = 1 if "busy" in traits else 0
        self.drops = 1 if "dropping" in traits else 0

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        dropped = "8BITMIME" if "seven-bit" in traits else "nothing"
        return [line for line in responses if dropped not in line]

    async def handle_RCPT(self, server, session, envelope, address, options):
        if "rejecting" in traits:
            return "550 5.1.1 Nobody of that name lives here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.refusals:
            self.refusals -= 1
            return "451 4.3.2 Busy, come back later"
        letter = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text = letter.get_body(("plain",))
        html = letter.get_body(("html",))
        say(
            {
                "envelope": [envelope.mail_from, *envelope.rcpt_tos],
                "tls": server.transport.get_extra_info("ssl_object") is not None,
                "user": session.auth_data.decode() if session.auth_data else None,
                "from": letter["from"],
                "to": letter["to"],
                "subject": letter["subject"],
                "messageId": letter["message-id"],
                "date": letter["date"],
                "encoding": text["content-transfer-encoding"],
                "text": text.get_content(),
                "html": html.get_content(),
                "defects": [str(defect) for defect in letter.defects],
            }
        )
        if self.drops:
            self.drops -= 1
            server.transport.abort()
        if "quoting" in traits:
            link = next(line for line in text.get_content().split() if "#token=" in line)
            return f"554 5.6.0 We do not like {link}"
        return "250 OK"


def say(line):
    print(json.dumps(line), flush=True)


def who(server, session, envelope, mechanism, given):
    if (given.login, given.password) == (b"desk", b"s3cret @/:"):
        return AuthResult(success=True, auth_data=given.login)
    return AuthResult(success=False, handled=False)


def tls():
    ca = trustme.CA()
    ca.cert_pem.write_to_path(authority)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    return context


class Deaf(asyncio.Protocol):
    pass


async def main():
    context = tls()
    letters = Letters()

    def serve():
        if "deaf" in traits:
            return Deaf()
        return SMTP(
            letters,
            hostname="mail.example.com",
            require_starttls="starttls" in traits,
            tls_context=context if "starttls" in traits else None,
            auth_required="auth" in traits,
            auth_require_tls="starttls" in traits,
            authenticator=who,
            loop=asyncio.get_running_loop(),
        )

    ports = [int(trait[5:]) for trait in traits if trait.startswith("port=")]
    server = await asyncio.get_running_loop().create_server(
        serve, "127.0.0.1", *(ports or [0]), ssl=context if "tls" in traits else None
    )
    say({"port": server.sockets[0].getsockname()[1]})
    await server.serve_forever()


asyncio.run(main())
