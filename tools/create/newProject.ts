/** The files of a new project, but for those of its handler. */
import { packageManifest } from '../shared/project.ts';
import type { NewHandler } from './newHandler.ts';
import type { NewFiles } from './writeNew.ts';

interface NewProject extends NewHandler {
  /** Of the folder, the package and the service. */
  service: string;
  dependency: string;
  hasHttp: boolean;
}

export async function projectFiles(project: NewProject): Promise<NewFiles> {
  return {
    'package.json': await manifestOf(project),
    'serverless.yml': configurationOf(project),
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
    '.npmrc': NPMRC,
    '.github/workflows/check.yml': WORKFLOW,
    'README.md': readmeOf(project),
    ...settingsOf(project),
  };
}

/** Of both stages, where the provider's logins need some. */
function settingsOf({ starter: { settings = {} } }: NewProject): NewFiles {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  return lines.length === 0 ? {} : { '.env.dev': lines.join(''), '.env.prod': lines.join('') };
}

async function manifestOf({ service, dependency }: NewProject): Promise<string> {
  const { valibot } = (await packageManifest()).dependencies;
  const manifest = {
    name: service,
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: {
      start: 'login-hooks start',
      test: 'login-hooks test',
      check: 'login-hooks check',
      verify: 'login-hooks verify',
      deploy: 'serverless deploy',
    },
    // login-hooks brings `serverless` and the compiler, so that an update is one number.
    dependencies: { 'login-hooks': dependency, valibot },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function configurationOf({ service, kind, provider, hasHttp }: NewProject): string {
  return `service: ${service}
frameworkVersion: "4"
# The settings of a stage are in .env.<stage>; the plugin passes them to the functions.
useDotenv: true

plugins:
  - login-hooks/serverless

provider:
  name: aws
  region: \${opt:region, env:AWS_REGION, 'eu-central-1'}
  stage: \${opt:stage, 'dev'}

custom:
  loginHooks:
    # The handler of these logins. The plugin adds their function, which the service may invoke directly.
    ${kind}: handlers/${provider}
${hasHttp ? HTTP : ''}    # The stages beside dev that need no file .env.<stage>.
    stages: [prod]
`;
}

const HTTP = `    # The service may also call it through an HTTP API.
    http: true
`;

const TSCONFIG = `{
  "extends": "login-hooks/tsconfig.json",
  "include": ["handlers"]
}
`;

const GITIGNORE = `node_modules/
dist/
.build/
.serverless/
.studio/
.env
secrets.json
`;

const NPMRC = `# Exact versions, and no install script of any dependency: none is needed.
save-exact=true
ignore-scripts=true
# The project brings its own Node; warnings about the one that runs npm mislead.
loglevel=error
`;

const WORKFLOW = `name: check
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          # All commits: a pull request is compared with its base.
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      - run: npm test
      - if: github.event_name == 'pull_request'
        run: npx login-hooks check --report --against "origin/$GITHUB_BASE_REF" >> "$GITHUB_STEP_SUMMARY"
`;

function readmeOf({ service, provider, given }: NewProject): string {
  return `# ${service}

This project decides who may log in with the identity provider \`${given.url}\`.
It runs on AWS Lambda, by [login-hooks](node_modules/login-hooks/README.md): the guide begins there.

\`serverless.yml\` says what is deployed, and names the handler in use. A file \`.env.<stage>\` has the settings of one stage: commit it,
and put no secret into it.

## Start

You need npm and Node 20 or later.

    npm install
    npm test
    npm start

\`npm test\` compiles the handler, sends each event through it and compares, changes the events as an attacker would, and says what gets in.
\`npm start\` serves the function on your machine, and prints the address of a page that explains each login. Commit \`package-lock.json\`.

## Make it yours

1. The people in \`events/\` are invented, and so is each group and UUID in \`handlers/${provider}.ts\`: replace them by yours in
   both. A group that your provider does not send refuses nobody.
2. \`npx login-hooks check --update\` writes the present responses as the expected ones. Read the difference (\`git diff\`) before you
   commit it.

## Deploy

You need an AWS account, and its credentials in your shell.

    npx login-hooks verify --stage prod --try
    npx serverless deploy --stage prod
    npx login-hooks self-test --stage prod
`;
}
