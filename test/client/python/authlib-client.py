"""Authlib as released: sign in, exchange, call the API, refresh, call, revoke. Argument: addresses and client, as JSON. Prints its results."""

import json
import os
import sys

# Plain http is for this machine alone.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests  # noqa: E402
from authlib.common.security import generate_token  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402

given = json.loads(sys.argv[1])
issuer, callback = given["issuer"], given["callback"]
client_id, secret = given["confidential"]["id"], given["confidential"]["secret"]


def session_with(token=None):
    return OAuth2Session(
        client_id, secret, scope="read offline", redirect_uri=callback, code_challenge_method="S256", token=token
    )


def call(session):
    """What the API answers: the username, or the status of a refusal."""
    answer = session.post(f"{issuer}/graphql", json={"query": "{ me { username } }"})
    return answer.json()["data"]["me"]["username"] if answer.ok else answer.status_code


session = session_with()
verifier = generate_token(48)
asked, state = session.create_authorization_url(f"{issuer}/oauth2/auth", code_verifier=verifier)
back = requests.get(given["browser"], params={"url": asked}).text
token_endpoint = f"{issuer}/oauth2/token"
first = session.fetch_token(token_endpoint, authorization_response=back, code_verifier=verifier, state=state)
username = call(session)
second = session.refresh_token(token_endpoint, refresh_token=first["refresh_token"])
refreshed = call(session)
revocation = session.revoke_token(f"{issuer}/oauth2/revoke", token=second["refresh_token"], token_type_hint="refresh_token")
revocation.raise_for_status()
rotated = second["refresh_token"] != first["refresh_token"] and second["access_token"] != first["access_token"]
print(json.dumps({"username": username, "refreshed": refreshed, "isRotated": rotated, "revoked": call(session_with(second))}))
