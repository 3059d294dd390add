import { build } from '../../tools/bundle/build.ts';

const SDK_INPUT = /^node_modules\/(@aws|@aws-sdk|@smithy|bowser)\//;

/** The files of the bundle that are the AWS SDK, by most of what is in them. */
export async function sdkFiles(): Promise<Set<string>> {
  const { outputs } = await build();
  const files = Object.entries(outputs).filter(([, { inputs }]) => {
    let balance = 0;
    for (const [file, { bytesInOutput }] of Object.entries(inputs))
      balance += SDK_INPUT.test(file) ? bytesInOutput : -bytesInOutput;
    return balance > 0;
  });
  return new Set(files.map(([file]) => file));
}
