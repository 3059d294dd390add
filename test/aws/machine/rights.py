"""
What IAM does and moto's does not: it compares the resource of a call with a policy, and asks whether the caller of
CloudFormation may make, change and remove what a template holds. Only where moto's IAM is switched on.
"""

import json
import re
from contextvars import ContextVar
from fnmatch import fnmatchcase

from moto.cloudformation.parsing import ResourceMap
from moto.core.authorization import ActionAuthenticatorMixin
from moto.core.exceptions import AccessDeniedError, JsonRESTError
from moto.iam.access_control import IAMPolicy, IAMPolicyStatement, IAMRequest, IAMRequestBase, PermissionResult

REGION = "eu-central-1"
HERE = f"{REGION}:123456789012"
FUNCTION = f"arn:aws:lambda:{HERE}:function:{{}}"
LOG_GROUP = f"arn:aws:logs:{HERE}:log-group:{{}}"
ROLE = "arn:aws:iam::123456789012:role/{}"
APIS = f"arn:aws:apigateway:{REGION}::/apis"
# A PassRole says to which service.
PASSED = {"iam:PassedToService": "lambda.amazonaws.com"}

# By type: the property that names the resource or its owner, its ARN, and what CloudFormation calls to make, change and
# remove it. Out of `handlers` in AWS's schema of the type: what the project's templates need, with the tags of a stack.
TYPES = {
    "AWS::S3::Bucket": (
        "BucketName",
        "arn:aws:s3:::{}",
        "s3:CreateBucket s3:PutEncryptionConfiguration s3:PutBucketTagging",
        "s3:PutEncryptionConfiguration s3:PutBucketTagging",
        "s3:DeleteBucket",
    ),
    "AWS::S3::BucketPolicy": (
        "Bucket",
        "arn:aws:s3:::{}",
        "s3:GetBucketPolicy s3:PutBucketPolicy",
        "s3:GetBucketPolicy s3:PutBucketPolicy",
        "s3:GetBucketPolicy s3:DeleteBucketPolicy",
    ),
    "AWS::Logs::LogGroup": (
        "LogGroupName",
        LOG_GROUP,
        "logs:DescribeLogGroups@* logs:CreateLogGroup logs:PutRetentionPolicy logs:TagResource",
        "logs:DescribeLogGroups@* logs:PutRetentionPolicy logs:TagResource logs:ListTagsForResource",
        "logs:DescribeLogGroups@* logs:DeleteLogGroup",
    ),
    "AWS::Logs::MetricFilter": (
        "LogGroupName",
        LOG_GROUP,
        "logs:DescribeMetricFilters logs:PutMetricFilter",
        "logs:DescribeMetricFilters logs:PutMetricFilter",
        "logs:DeleteMetricFilter",
    ),
    "AWS::IAM::Role": (
        "RoleName",
        ROLE,
        "iam:CreateRole iam:PutRolePolicy iam:GetRolePolicy iam:TagRole iam:GetRole",
        "iam:UpdateRole iam:UpdateAssumeRolePolicy iam:DeleteRolePolicy iam:PutRolePolicy iam:TagRole iam:UntagRole",
        "iam:DeleteRole iam:DeleteRolePolicy iam:GetRole iam:ListAttachedRolePolicies iam:ListRolePolicies",
    ),
    "AWS::Lambda::Function": (
        "FunctionName",
        FUNCTION,
        "lambda:CreateFunction lambda:GetFunction lambda:PutFunctionConcurrency lambda:TagResource iam:PassRole@Role",
        "lambda:UpdateFunctionCode lambda:UpdateFunctionConfiguration lambda:GetFunction iam:PassRole@Role",
        "lambda:DeleteFunction lambda:GetFunction",
    ),
    "AWS::Lambda::Version": (
        "FunctionName",
        FUNCTION,
        "lambda:PublishVersion lambda:GetFunctionConfiguration lambda:ListVersionsByFunction",
        "lambda:GetFunctionConfiguration",
        "lambda:DeleteFunction",
    ),
    "AWS::Lambda::Permission": (
        "FunctionName",
        FUNCTION,
        "lambda:AddPermission",
        "lambda:AddPermission lambda:RemovePermission",
        "lambda:RemovePermission",
    ),
    "AWS::CloudWatch::Alarm": (
        "AlarmName",
        f"arn:aws:cloudwatch:{HERE}:alarm:{{}}",
        "cloudwatch:PutMetricAlarm cloudwatch:DescribeAlarms@* cloudwatch:TagResource",
        "cloudwatch:PutMetricAlarm cloudwatch:DescribeAlarms@* cloudwatch:TagResource",
        "cloudwatch:DeleteAlarms cloudwatch:DescribeAlarms@*",
    ),
    **{
        f"AWS::ApiGatewayV2::{type}": (
            None,
            arn,
            "apigateway:POST",
            "apigateway:PATCH apigateway:GET",
            "apigateway:DELETE",
        )
        for type, arn in {
            "Api": APIS,
            "Stage": f"{APIS}/a1b2/stages",
            "Route": f"{APIS}/a1b2/routes",
            "Integration": f"{APIS}/a1b2/integrations",
        }.items()
    },
}
MAKE, CHANGE, REMOVE = 2, 3, 4

caller = ContextVar("caller", default=None)


def text_of(value, resources):
    """What CloudFormation puts in the place of a value of a template: of a reference, the name of the resource."""
    match value:
        case {"Ref": "AWS::Region"}:
            return REGION
        case {"Ref": id} | {"Fn::GetAtt": [id, *_]}:
            return name_of(id, resources)
        case {"Fn::Join": [separator, parts]}:
            return separator.join(text_of(part, resources) for part in parts)
    return value


def name_of(id, resources):
    resource = resources[id]
    value = resource.get("Properties", {}).get(TYPES[resource["Type"]][0])
    return f"login-hooks-prod-{id.lower()}" if value is None else text_of(value, resources)


def demand(id, resources, what):
    """@raise AccessDeniedError where the caller may not do with a resource what CloudFormation does for them"""
    if caller.get() is None:
        return
    rule = TYPES[resources[id]["Type"]]
    for action in rule[what].split():
        action, _, at = action.partition("@")
        if at == "Role":
            arn = ROLE.format(text_of(resources[id]["Properties"][at], resources))
        else:
            arn = at or rule[1].format(name_of(id, resources))
        verdicts = [
            IAMPolicy(policy).is_action_permitted(action, arn, None, PASSED)
            for policy in caller.get()._access_key.collect_policies()
        ]
        if PermissionResult.PERMITTED not in verdicts:
            raise AccessDeniedError(caller.get()._access_key.arn, action)


make, change, remove = ResourceMap.create, ResourceMap.update, ResourceMap.delete


def asks_and_makes(self, template):
    for id in template["Resources"]:
        demand(id, template["Resources"], MAKE)
    return make(self, template)


def asks_and_changes(self, template, parameters=None):
    difference = self.build_resource_diff(template, parameters)
    for id in difference["Remove"]:
        demand(id, self._resource_json_map, REMOVE)
    for id in difference["Add"]:
        demand(id, template["Resources"], MAKE)
    for id in difference["Modify"]:
        demand(id, template["Resources"], CHANGE)
    return change(self, template, parameters)


def asks_and_removes(self):
    for id in self._resource_json_map:
        demand(id, self._resource_json_map, REMOVE)
    return remove(self)


ResourceMap.create, ResourceMap.update, ResourceMap.delete = asks_and_makes, asks_and_changes, asks_and_removes

# As moto names a call, and as IAM does.
ACTIONS = {
    "apigateway:GetResources": "apigateway:GET",
    "apigateway:GetRoutes": "apigateway:GET",
    "lambda:Invoke": "lambda:InvokeFunction",
    "monitoring:DescribeAlarms": "cloudwatch:DescribeAlarms",
    "monitoring:GetMetricData": "cloudwatch:GetMetricData",
    "s3:HeadBucket": "s3:ListBucket",
}
authorize, check = ActionAuthenticatorMixin._authenticate_and_authorize_action, IAMRequestBase.check_action_permitted


def resource_of(request):
    """The ARN of what a call is about, where moto gives none."""
    if stack := request._data.get("StackName"):
        return stack[0] if stack[0].startswith("arn:") else f"arn:aws:cloudformation:{HERE}:stack/{stack[0]}/1"
    if function := re.match(r"/\d{4}-\d\d-\d\d/functions/([^/?]+)", request._path):
        return FUNCTION.format(function[1])
    if api := re.match(r"(?:/v2)?(/(?:rest)?apis/[^?]*)", request._path):
        return f"arn:aws:apigateway:{REGION}::{api[1]}"
    if topic := request._data.get("TopicArn"):
        return topic[0]
    if request._action == "secretsmanager:DescribeSecret":
        # Secrets Manager ends the ARN with six characters of its own.
        return f"arn:aws:secretsmanager:{HERE}:secret:{json.loads(request._body)['SecretId']}-a1b2c3"
    if request._action == "logs:FilterLogEvents":
        return LOG_GROUP.format(json.loads(request._body)["logGroupName"])
    return "*"


def authorizes(self, *args):
    caller.set(None)
    authorize(self, *args)


def checks(self, resource):
    caller.set(self)
    self._action = ACTIONS.get(self._action, self._action)
    check(self, resource_of(self) if resource == "*" else resource)


def refuses(self):
    """In the form of the service: moto answers each in XML."""
    user = self._access_key.arn
    if self._service in ("apigateway", "ecr", "lambda", "monitoring", "logs", "secretsmanager"):
        raise JsonRESTError("AccessDeniedException", f"User: {user} is not authorized to perform: {self._action}")
    raise AccessDeniedError(user, self._action)


# moto knows `*` alone, and takes all but None for a match.
IAMPolicyStatement._match = staticmethod(lambda pattern, text: fnmatchcase(text, pattern) or None)
IAMRequest._raise_access_denied = refuses
ActionAuthenticatorMixin._authenticate_and_authorize_action = authorizes
IAMRequestBase.check_action_permitted = checks
