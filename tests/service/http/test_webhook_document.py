"""The document has every message to a webhook, with an example that is signed as it says."""

from base64 import b64decode
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from service.http.documents import document
from service.http.openapi.webhooks import SECRET
from service.play.deliveries import TEST
from service.play.player_record import Told
from service.play.webhooks import sign

KINDS = (*get_args(Told), TEST)


@pytest.fixture(scope="module")
def made() -> Any:
    return document()


def test_every_type_of_message_is_in_the_document(made):
    assert made["webhooks"].keys() == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_message_fits_its_schema_and_its_signature(made, kind):
    operation = made["webhooks"][kind]["post"]
    content = operation["requestBody"]["content"]["application/json"]
    body = content["examples"]["example"]["value"]
    assert body["type"] == body["data"]["type"] == kind
    schema = {"components": made["components"], **content["schema"]}
    Draft202012Validator(schema).validate(body)
    name, sent, signature = (header["example"] for header in operation["parameters"])
    key = b64decode(SECRET.removeprefix("whsec_"))
    assert sign(key, name, int(sent), msgspec.json.encode(body).decode()) == signature
    assert SECRET in operation["description"]
