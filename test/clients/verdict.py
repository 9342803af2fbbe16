"""Reads the score of an identification from History and checks the signature of an event with the standard library.

Usage: python3 verdict.py HISTORY_URL API_KEY REQUEST_ID SIGNING_SECRET SIGNATURE, with the event on standard input.
"""

import hashlib
import hmac
import http.client
import json
import sys
import time
import urllib.parse
import urllib.request


def score_by_urllib(history_url: str, api_key: str, request_id: str) -> int:
    request = urllib.request.Request(
        f"{history_url}/api/v1/history/request_id/{request_id}?limit=1",
        headers={"Authorization": f"Bearer {api_key}"},
    )
    for _ in range(20):
        with urllib.request.urlopen(request, timeout=10) as response:
            rows = json.load(response)["data"]
        if rows:
            return rows[0]["score"]
        time.sleep(0.25)
    raise LookupError(f"no row of {request_id}")


def scores_on_one_connection(history_url: str, api_key: str, request_id: str) -> list[int]:
    """Asks twice for the row, which exists by now, over a connection that is kept open."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(history_url).netloc, timeout=10)
    scores = []
    for _ in range(2):
        path = f"/api/v1/history/request_id/{request_id}?limit=1"
        connection.request("GET", path, headers={"Authorization": f"Bearer {api_key}"})
        scores.append(json.load(connection.getresponse())["data"][0]["score"])
    connection.close()
    return scores


def validity(event: bytes, secret: str, signature: str) -> str:
    mac = hmac.new(secret.encode(), event, hashlib.sha256).hexdigest()
    return "valid" if hmac.compare_digest(f"sha256={mac}", signature) else "invalid"


def main() -> None:
    history_url, api_key, request_id, secret, signature = sys.argv[1:]
    event = sys.stdin.buffer.read()
    score = score_by_urllib(history_url, api_key, request_id)
    if scores_on_one_connection(history_url, api_key, request_id) != [score, score]:
        sys.exit("the two clients read different scores")
    print("score", score)
    print("signature", validity(event, secret, signature))
    print("forgery", validity(bytes([event[0] ^ 1]) + event[1:], secret, signature))


main()
