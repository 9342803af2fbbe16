"""Sends one request, which standard input describes as JSON, with the client that the first argument names."""
import base64
import json
import sys

sent = json.load(sys.stdin)
headers = [(name, value) for name, value in sent["headers"]]
body = base64.b64decode(sent["body"]) or None
client = sys.argv[1]

if client == "requests":
    import requests
    import urllib3

    urllib3.disable_warnings()
    answer = requests.request(sent["method"], sent["url"], headers=dict(headers), data=body, verify=False)
elif client == "httpx":
    import httpx

    with httpx.Client(http2=True, verify=False) as session:
        answer = session.request(sent["method"], sent["url"], headers=headers, content=body)
else:
    from curl_cffi import requests as impersonated

    answer = impersonated.request(
        sent["method"], sent["url"], headers=dict(headers), data=body, verify=False, impersonate="chrome"
    )

print(f"{answer.text}\n{answer.status_code}", end="")
