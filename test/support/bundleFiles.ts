import { build } from '../../tools/bundle/build.ts';

const SDK_INPUT = /^node_modules\/(@aws|@aws-sdk|@smithy|bowser)\//;

/** The files of the bundle: those that are the AWS SDK, by most of what is in them, and all others. */
export async function bundleFiles(): Promise<{ sdk: string[]; others: string[] }> {
  const { outputs } = await build();
  const isSdk = (file: string) => {
    let balance = 0;
    for (const [input, { bytesInOutput }] of Object.entries(outputs[file]?.inputs ?? {}))
      balance += SDK_INPUT.test(input) ? bytesInOutput : -bytesInOutput;
    return balance > 0;
  };
  const { true: sdk = [], false: others = [] } = Object.groupBy(
    Object.keys(outputs),
    (file) => `${isSdk(file)}`,
  );
  return { sdk, others };
}
