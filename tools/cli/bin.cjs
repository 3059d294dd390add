#!/usr/bin/env node
// @ts-check
/** What npm and a shell start, under any Node: the commands need a newer one. */
if (Number.parseInt(process.versions.node, 10) >= 24) require('./bin.ts').start();
else {
  console.error(
    `login-hooks needs Node 24, and this is ${process.versions.node}: run npm ci, which installs it in the project, and then npm run or npx, which use it`,
  );
  process.exitCode = 2;
}
