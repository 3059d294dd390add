"""
moto's server. It has cfn-lint check a template that is deployed, and refuses one that gives a mere warning, which
CloudFormation would take; here errors alone count.
"""

from moto.cloudformation import models
from moto.server import main

import lists
import rights

matches_of = models.validate_template_cfn_lint


def errors_of(template):
    return [match for match in matches_of(template) if match.rule.severity == "error"]


models.validate_template_cfn_lint = errors_of
main()
