import hashlib
import hmac
import re
import time

TOLERANCE_MS = 5 * 60_000


def is_genuine(secret: str, header: str, raw_body: bytes, now_ms: float | None = None) -> bool:
    """Whether the Service-Signature header signs these raw body bytes with the secret, at most five minutes ago."""
    match = re.fullmatch(r"t=([0-9]{1,16}),s=([0-9a-f]{64})", header)
    if match is None:
        return False
    timestamp, signature = match.groups()
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + raw_body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, signature):
        return False
    return abs((time.time() * 1000 if now_ms is None else now_ms) - int(timestamp)) <= TOLERANCE_MS
