"""Lists of Lambda's: of a function's URLs, which moto does not have, and of what becomes of events, whose dates it writes as texts."""

import json

from moto.awslambda.responses import LambdaResponse
from moto.awslambda.urls import url_paths
from moto.core.responses import ActionResult


def list_function_url_configs(self):
    config = self.backend.get_function(self.path.split("/")[-2]).url_config
    return json.dumps({"FunctionUrlConfigs": [config.to_dict()] if config else []})


def list_function_event_invoke_configs(self):
    return ActionResult(self.backend.list_function_event_invoke_configs(self.path.split("/")[-3]))


LambdaResponse.list_function_url_configs = list_function_url_configs
LambdaResponse.list_function_event_invoke_configs = list_function_event_invoke_configs
url_paths[r"{0}/(?P<api_version>[^/]+)/functions/(?P<function_name>[\w_:%-]+)/urls/?$"] = LambdaResponse.dispatch
