/** The template to which `serverless rollback` returns: it is read from the bucket by the time of its deployment. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Serverless } from './service.ts';

/** What is used of the library that `serverless` itself has. */
interface S3 {
  S3Client: new (
    config: object,
  ) => { send(command: object): Promise<{ Body: { transformToString(): Promise<string> } }> };
  GetObjectCommand: new (input: { Bucket: string; Key: string }) => object;
}

/** @param timestamp in milliseconds since 1970, or a text of a date, as `serverless` takes it */
export async function earlierTemplate(serverless: Serverless, timestamp: string): Promise<object> {
  const { service, config } = serverless;
  const provider = serverless.getProvider('aws');
  const { S3Client, GetObjectCommand }: S3 = createRequire(join(config.serverlessPath, 'serverless.js'))(
    '@aws-sdk/client-s3',
  );
  const read = new Date(timestamp);
  const date = Number.isNaN(read.valueOf()) ? new Date(Number(timestamp)) : read;
  const folder = [provider.getDeploymentPrefix(), service.service, provider.getStage()].join('/');
  const Key = `${folder}/${date.valueOf()}-${date.toISOString()}/${provider.naming.getCompiledTemplateS3Suffix()}`;
  const Bucket = await provider.getServerlessDeploymentBucketName();
  const client = new S3Client(await provider.getAwsSdkV3Config());
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return JSON.parse(await Body.transformToString());
}
