/** How many hear a topic of SNS, of its first hundred subscriptions. The SDK's client for SNS is no dependency: this one request is signed by hand. */
import aws4 from 'aws4';

export interface Subscriptions {
  confirmed: number;
  pending: number;
}

type Credentials = () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;

/** In the place of an ARN. */
const PENDING = 'PendingConfirmation';
const TIMEOUT_MS = 20_000;

/**
 * @throws {Error} named by the code of SNS, e.g. `NotFound`
 * @see https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html
 */
export async function subscriptionsOf(arn: string, credentials: Credentials): Promise<Subscriptions> {
  const [, partition, service = '', region = ''] = arn.split(':');
  const suffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  const { AWS_ENDPOINT_URL_SNS, AWS_ENDPOINT_URL } = process.env;
  const url = new URL(AWS_ENDPOINT_URL_SNS || AWS_ENDPOINT_URL || `https://sns.${region}.${suffix}`);
  const body = String(
    new URLSearchParams({ Action: 'ListSubscriptionsByTopic', Version: '2010-03-31', TopicArn: arn }),
  );
  const request = { service, region, method: 'POST', host: url.host, path: '/', body };
  const { headers } = aws4.sign(request, await credentials());
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: headers as Record<string, string>,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok)
    throw Object.assign(new Error(), {
      name: /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? `HTTP ${response.status}`,
    });
  const arns = Array.from(text.matchAll(/<SubscriptionArn>([^<]*)</g), ([, one]) => one);
  const pending = arns.filter((one) => one === PENDING).length;
  return { confirmed: arns.length - pending, pending };
}
