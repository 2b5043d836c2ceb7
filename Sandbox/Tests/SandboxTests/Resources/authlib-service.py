"""Uses the issuer's access token of a user to find a service, get authorized, call the service and revoke the
access."""

import sys
from urllib.parse import urljoin

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import JWTBearerGrant
from authlib.oauth2.rfc7523.assertion import private_key_jwt_sign, sign_jwt_bearer_assertion
from authlib.oauth2.rfc7523.client import ASSERTION_TYPE
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

issuer, access_token, name = sys.argv[1:]
client, app, wanted = "cutied", "org.example.Reader", ["com.cuti-e.conversations"]


def told(text):
    print(text, flush=True)


def refused(word, ask):
    try:
        ask()
    except Exception as error:
        assert error.error == word, error
    else:
        raise AssertionError(word)


found = [
    document for document in requests.post(issuer + "/v1/discovery", json=wanted).json()
    if document["engineName"] == name
]
assert len(found) == 1
link, apis = found[0]["engineLink"], found[0]["apis"]
endpoint = urljoin(link, apis["org.ietf.oauth2"]["apiLink"]) + "/token"
place, scope = urljoin(link, apis[wanted[0]]["apiLink"]), apis[wanted[0]]["settings"]["scope"]
told("found")

server = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
exchange = OAuth2Session(client, token_endpoint_auth_method="none")
person = exchange.fetch_token(
    server["token_endpoint"], grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token=access_token, subject_token_type="urn:ietf:params:oauth:token-type:access_token",
    requested_token_type="urn:ietf:params:oauth:token-type:jwt", audience=endpoint,
)
assert person["token_type"] == "N_A" and person["expires_in"] == 300
keys = KeySet.import_key_set(requests.get(server["jwks_uri"]).json())
claims = jwt.decode(person["access_token"], keys, algorithms=["ES256"]).claims
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": issuer}, aud={"essential": True, "value": endpoint},
    exp={"essential": True}, sub={"essential": True}, jti={"essential": True},
).validate(claims)
told("assertion")

key = ECKey.generate_key("P-256")
confirmation = {"cnf": {"jwk": key.as_dict(private=False)}}
session = OAuth2Session(client, token_endpoint_auth_method="none")


def register():
    proof = private_key_jwt_sign(
        key, client, endpoint, alg="ES256", claims=dict(confirmation), expires_in=300
    )
    return session.fetch_token(
        endpoint, grant_type=JWTBearerGrant.GRANT_TYPE, assertion=person["access_token"],
        client_assertion_type=ASSERTION_TYPE, client_assertion=proof,
    )


service = register()
assert service["token_type"] == "Bearer" and service["refresh_token"]
told("service token")
refused("invalid_grant", register)
told("counts once")


def authorize(token, signer=key, **changes):
    assertion = sign_jwt_bearer_assertion(
        signer, client, endpoint, subject=claims["sub"], alg="ES256", expires_in=300,
        claims=confirmation | {"azp": app, "resource": link} | changes,
    )
    return OAuth2Session(client, token_endpoint_auth_method="none").fetch_token(
        endpoint, grant_type=JWTBearerGrant.GRANT_TYPE, assertion=assertion, scope=scope,
        headers={"Authorization": "Bearer " + token},
    )


refused("invalid_grant", lambda: authorize(service["access_token"], ECKey.generate_key("P-256")))
refused("invalid_token", lambda: authorize("cutie_st_unknown"))
token = authorize(service["access_token"])
assert token["scope"] == scope
told("app token")


def call(token):
    return requests.get(place, headers={"Authorization": "Bearer " + token})


assert call(token["access_token"]).status_code == 200
assert call(service["access_token"]).status_code == 403
told("called")

fresh = session.refresh_token(endpoint, refresh_token=token["refresh_token"])
assert fresh["access_token"] != token["access_token"] and fresh["refresh_token"] != token["refresh_token"]
assert call(fresh["access_token"]).status_code == 200
told("refreshed")

answer = session.revoke_token(
    endpoint.removesuffix("token") + "revoke", token=service["access_token"],
    token_type_hint="access_token",
)
assert answer.status_code == 200
answer = call(fresh["access_token"])
assert answer.status_code == 401 and 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
refused("invalid_token", lambda: authorize(service["access_token"]))
told("revoked")
