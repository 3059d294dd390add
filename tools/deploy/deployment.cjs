/** The settings of a deployment that CloudFormation would take as they are, or refuse without naming them. */

const NUMBER_ABOVE_0 = /^[1-9]\d{0,8}$/;
const SNS_TOPIC = /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w.-]+$/;

/** @returns what is wrong with the settings */
function deploymentProblems({ custom, resources }) {
  const { ThrottlingRateLimit, ThrottlingBurstLimit } =
    resources?.extensions?.HttpApiStage?.Properties?.DefaultRouteSettings ?? {};
  const problems = [];
  const expect = (setting, value, pattern, expected) => {
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && !pattern.test(String(value))) problems.push(`${setting}: expected ${expected}`);
  };
  expect('THROTTLING_RATE', ThrottlingRateLimit, NUMBER_ABOVE_0, 'a whole number above 0');
  expect('THROTTLING_BURST', ThrottlingBurstLimit, NUMBER_ABOVE_0, 'a whole number above 0');
  expect('ALARM_TOPIC_ARN', custom?.alarmTopicArn, SNS_TOPIC, 'the ARN of an SNS topic');
  return problems;
}

module.exports = { deploymentProblems };
