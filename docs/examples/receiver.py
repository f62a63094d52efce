# A webhook receiver in Python 3.8 or later, without packages.
#   SIGNING_SECRET=whsec_… PORT=4000 python3 docs/examples/receiver.py
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# During a rotation there may be two secrets: SIGNING_SECRET=whsec_new,whsec_old
SECRETS = os.environ.get("SIGNING_SECRET", "").split(",")
# An empty secret is one that everybody knows: the receiver does not start with it.
if not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{20,}={0,2}", secret) for secret in SECRETS):
    sys.exit("Set SIGNING_SECRET to the signing secret of the destination (whsec_…).")

# Refuse older deliveries: somebody may have recorded them.
TOLERANCE_SECONDS = 300
# The service never sends a longer body.
BODY_BYTES_MAX = 1024 * 1024


def find_fault(headers, body):
    """None if the body comes from the service, unchanged, and was sent just now; else the fault."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not event_id or not signatures or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return "the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?"
    age_seconds = time.time() - int(timestamp)
    if age_seconds > TOLERANCE_SECONDS:
        return "the request is older than 5 minutes. Is the clock of this machine right?"
    if age_seconds < -TOLERANCE_SECONDS:
        return "the request is more than 5 minutes in the future. Is the clock of this machine right?"
    # One signature for each valid secret, separated by spaces. One that matches is enough.
    given = signatures.split(" ")
    signed = f"{event_id}.{timestamp}.".encode() + body
    for secret in SECRETS:
        key = base64.b64decode(secret[len("whsec_") :])
        mac = hmac.new(key, signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        # Compares in constant time. It needs bytes: text that is not ASCII raises an error.
        if any(hmac.compare_digest(each.encode(), expected) for each in given):
            return None
    return "wrong signature. Is SIGNING_SECRET the secret of this destination?"


# Ids of the events that were handled: an event may come again. Keep them in your database.
handled = set()


def handle(event):
    """Answer within 15 seconds: put slow work into a queue."""
    again = event["id"] in handled
    handled.add(event["id"])
    print(event["type"], event["id"], *(["again"] if again else []), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > BODY_BYTES_MAX:
            return self.answer(413)
        # Verify the bytes as they came. JSON that is parsed and written again has other bytes.
        body = self.rfile.read(int(length))
        fault = find_fault(self.headers, body)
        if fault is not None:
            print("refused:", fault, flush=True)
            return self.answer(401)
        handle(json.loads(body))
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
