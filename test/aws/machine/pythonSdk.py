"""Reads responses with the models of the Python SDK, and writes what the models hold. From stdin to stdout, as JSON lists."""

import json
import sys

from fair_wizard.automation.common import AuthorizedUserResponse, ErrorResponse, ForbiddenResponse
from pydantic import ValidationError

MODELS = {model.__name__: model for model in (AuthorizedUserResponse, ErrorResponse, ForbiddenResponse)}


def received(response):
    try:
        return MODELS[response['type']].model_validate(response).model_dump(by_alias=True, mode='json')
    except ValidationError as error:
        return [f'{".".join(map(str, problem["loc"]))}: {problem["type"]}' for problem in error.errors()]


json.dump([received(response) for response in json.load(sys.stdin)], sys.stdout)
