"""A device with one passkey, in software."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from allauth.account.utils import user_pk_to_url_str
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

from accounts.models import User

SITE = "testserver"
FLAG = AuthenticatorData.FLAG


@dataclass(frozen=True)
class Passkey:
    """What a person's device keeps for this site. Each method returns the JSON that a browser sends."""

    user: User
    name: bytes = b"a device of leia"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def registered(self, challenge: str, origin: str = f"https://{SITE}") -> str:
        """Answer the challenge of the page that adds a passkey."""
        public = ES256.from_cryptography_key(self.key.public_key())
        made = AttestedCredentialData.create(b"\0" * 16, self.name, public)
        known = AuthenticatorData.create(sha256(SITE.encode()).digest(), FLAG.UP | FLAG.UV | FLAG.AT, 0, made)
        said = CollectedClientData.create("webauthn.create", challenge, origin)
        attested = websafe_encode(AttestationObject.create("none", known, {}))
        response = {"clientDataJSON": websafe_encode(said), "attestationObject": attested}
        return self._credential(response, {"credProps": {"rk": True}})

    def signed_in(self, challenge: str, origin: str = f"https://{SITE}") -> str:
        """Answer the challenge of the page to sign in."""
        known = AuthenticatorData.create(sha256(SITE.encode()).digest(), FLAG.UP | FLAG.UV, 1)
        said = CollectedClientData.create("webauthn.get", challenge, origin)
        signed = self.key.sign(known + said.hash, ec.ECDSA(hashes.SHA256()))
        handle = websafe_encode(user_pk_to_url_str(self.user).encode())
        parts = {"clientDataJSON": said, "authenticatorData": known, "signature": signed}
        return self._credential({name: websafe_encode(part) for name, part in parts.items()} | {"userHandle": handle})

    def _credential(self, response: dict[str, str], extensions: dict[str, Any] | None = None) -> str:
        name = websafe_encode(self.name)
        return json.dumps({
            "id": name, "rawId": name, "type": "public-key", "response": response,
            "clientExtensionResults": extensions or {},
        })  # fmt: skip
