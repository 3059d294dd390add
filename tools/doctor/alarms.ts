/** The alarms of a stage: there, not muted, not raised, and heard by somebody. */
import { DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { listOf } from '../deploy/waysIn/template.ts';
import type { Aws } from './aws.ts';
import { type DoctorFinding, finding, note } from './examination.ts';
import type { Stack } from './stack.ts';
import { subscriptionsOf } from './topic.ts';

/** CloudWatch takes so many names at once. */
const MAX_NAMES = 100;
/** Other actions than topics tell nobody by themselves. */
const TOPIC = /^arn:[\w-]+:sns:/;

export async function alarms(aws: Aws, stack: Stack): Promise<DoctorFinding[]> {
  const expected = stack.ofType('AWS::CloudWatch::Alarm');
  if (expected.length === 0)
    return [
      note(
        'alarms_off',
        stack.name,
        'nothing tells when logins fail',
        'set MONITORING=on and ALARM_TOPIC_ARN, and deploy',
      ),
    ];
  const names = expected.map(({ id, properties }) => stack.text(properties.AlarmName) || stack.nameOf(id));
  const found = await aws.ask('cloudwatch:DescribeAlarms', stack.name, () => described(aws, names));
  if (!found) return [];
  const missing = names.filter((name) => !found.some(({ AlarmName }) => AlarmName === name));
  return [
    ...missing.map((name) =>
      finding(
        'alarm_missing',
        name,
        'the alarm was deployed and is gone',
        'deploy with MONITORING=off, then with on',
      ),
    ),
    ...found.flatMap(ofAlarm),
    ...(await ofTopics(
      aws,
      stack,
      expected.flatMap(({ properties }) => listOf(properties.AlarmActions)),
    )),
  ];
}

async function described(aws: Aws, names: readonly string[]): Promise<MetricAlarm[]> {
  const starts = names.keys().filter((index) => index % MAX_NAMES === 0);
  const pages = await Promise.all(
    Array.from(starts, (start) =>
      aws.metrics.send(
        new DescribeAlarmsCommand({
          AlarmNames: names.slice(start, start + MAX_NAMES),
          MaxRecords: MAX_NAMES,
        }),
      ),
    ),
  );
  return pages.flatMap(({ MetricAlarms }) => MetricAlarms ?? []);
}

function ofAlarm({
  AlarmName = '',
  AlarmDescription = '',
  ActionsEnabled,
  StateValue,
}: MetricAlarm): DoctorFinding[] {
  return [
    ...(StateValue === 'ALARM'
      ? [finding('alarm_raised', AlarmName, AlarmDescription, 'see docs/operate.md for what the alarm means')]
      : []),
    ...(ActionsEnabled === false
      ? [
          finding(
            'alarm_muted',
            AlarmName,
            'its actions are switched off',
            'aws cloudwatch enable-alarm-actions',
          ),
        ]
      : []),
  ];
}

/** @param actions of all alarms, as the template has them */
async function ofTopics(aws: Aws, stack: Stack, actions: readonly unknown[]): Promise<DoctorFinding[]> {
  if (actions.length === 0)
    return [
      note('alarms_unheard', stack.name, 'its alarms go to no topic', 'set ALARM_TOPIC_ARN, and deploy'),
    ];
  const topics = new Set(actions.map((action) => stack.text(action)).filter((arn) => TOPIC.test(arn)));
  return (await Promise.all(Array.from(topics, (arn) => ofTopic(aws, arn)))).flat();
}

async function ofTopic(aws: Aws, arn: string): Promise<DoctorFinding[]> {
  const count = await aws.ask('sns:ListSubscriptionsByTopic', arn, () =>
    subscriptionsOf(arn, aws.credentials),
  );
  if (count === null) return [];
  if (count === undefined)
    return [
      finding(
        'topic_missing',
        arn,
        'alarms go to a topic that is not there',
        'create the topic, or set ALARM_TOPIC_ARN to another',
      ),
    ];
  const subscribe = 'subscribe with aws sns subscribe, and confirm by the link that arrives';
  if (count.confirmed === 0)
    return [
      finding('topic_unheard', arn, 'nobody has confirmed a subscription: no alarm arrives', subscribe),
    ];
  if (count.pending === 0) return [];
  return [
    note('subscription_pending', arn, `${count.pending} of its subscriptions are not confirmed`, subscribe),
  ];
}
