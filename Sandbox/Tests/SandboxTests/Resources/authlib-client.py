"""Signs in to the issuer as a user with an e-mail address and a password, and as a program with a secret."""

import html
import re
import sys
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwt
from joserfc.jwk import KeySet

issuer, email, password, admin, program, secret = sys.argv[1:]
redirect = "http://127.0.0.1:1/signin"
scope = "openid profile email offline_access conversations:read"


def told(text):
    print(text, flush=True)


class Person:
    """A browser and its user."""

    def __init__(self):
        self.browser = requests.Session()

    def submit(self, page, **values):
        fields = dict(re.findall(r'<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"', page.text))
        fields = {name: html.unescape(value) for name, value in fields.items()} | values
        action = re.search(r'<form method="post" action="([^"]*)"', page.text).group(1)
        return self.browser.post(issuer + action, data=fields, allow_redirects=False)

    def allow(self, address):
        page = self.browser.get(address)
        if "<h1>Sign in</h1>" in page.text:
            answer = self.submit(page, email=email, password=password)
            page = self.browser.get(issuer + answer.headers["Location"])
        return self.submit(page, decision="allow")


# Authlib requires https even for loopback addresses, so its checks run on a copy of the metadata with https
# URLs.
document = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
assert document["issuer"] == issuer
secure = {
    name: value.replace("http:", "https:") if isinstance(value, str) else value
    for name, value in document.items()
}
AuthorizationServerMetadata(secure).validate()
discovered = OpenIDProviderMetadata(secure)
for name in OpenIDProviderMetadata.REGISTRY_KEYS:
    # Skip the check for RS256, which OpenID Connect requires only of servers with open client registration.
    if name != "id_token_signing_alg_values_supported" and hasattr(discovered, "validate_" + name):
        getattr(discovered, "validate_" + name)()
told("metadata")

person = Person()
client = OAuth2Session(
    "cutied", scope=scope, redirect_uri=redirect, token_endpoint_auth_method="none",
    code_challenge_method="S256", revocation_endpoint_auth_method="none",
)
verifier, nonce = generate_token(64), generate_token(20)
address, state = client.create_authorization_url(
    document["authorization_endpoint"], code_verifier=verifier, nonce=nonce
)
place = person.allow(address).headers["Location"]
assert parse_qs(urlsplit(place).query)["iss"] == [issuer]
token = client.fetch_token(
    document["token_endpoint"], authorization_response=place, state=state, code_verifier=verifier
)
assert token["token_type"] == "Bearer" and token["refresh_token"]
told("browser")

keys = KeySet.import_key_set(requests.get(document["jwks_uri"]).json())
claims = jwt.decode(token["id_token"], keys, algorithms=["RS256", "ES256"]).claims
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": issuer}, aud={"essential": True, "value": "cutied"},
    nonce={"essential": True, "value": nonce}, exp={"essential": True}, sub={"essential": True},
).validate(claims)
assert claims["admin_id"] == admin
told("id token")

person_info = client.get(document["userinfo_endpoint"]).json()
assert person_info["sub"] == claims["sub"] and person_info["email"] == email
told("userinfo")

old = token["access_token"]
token = client.refresh_token(document["token_endpoint"], refresh_token=token["refresh_token"])
assert token["access_token"] != old
told("refreshed")
assert client.get(issuer + "/v1/conversations").json()["conversations"] == []
told("conversations")

answer = client.revoke_token(
    document["revocation_endpoint"], token=token["refresh_token"], token_type_hint="refresh_token"
)
assert answer.status_code == 200
assert requests.get(
    issuer + "/v1/conversations", headers={"Authorization": "Bearer " + token["access_token"]}
).status_code == 401
told("revoked")

device = OAuth2Session("cutied", scope=scope, token_endpoint_auth_method="none")
code = requests.post(
    document["device_authorization_endpoint"], data={"client_id": "cutied", "scope": scope}
).json()


def poll():
    return device.fetch_token(
        document["token_endpoint"], grant_type=DEVICE_CODE_GRANT_TYPE, device_code=code["device_code"]
    )


try:
    poll()
except Exception as error:
    assert error.error == "authorization_pending", error
    told("device pending")
assert person.allow(code["verification_uri_complete"]).status_code == 200
assert poll()["scope"] == " ".join(sorted(scope.split()))
told("device")

# Authlib sends the client credentials in a Basic header by default.
token = OAuth2Session(program, secret).fetch_token(
    document["token_endpoint"], grant_type="client_credentials", scope="conversations:read"
)
assert token["scope"] == "conversations:read"
told("program")
