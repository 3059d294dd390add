/** What the studio's page and its server tell each other. All of it is JSON, below `/api/`. */
import type { Finding } from '../capture/findings.ts';
import type { CardRow } from '../explain/card.ts';
import type { Coverage } from '../explain/coverage.ts';
import type { Difference } from '../explain/differences.ts';
import type { Explanation } from '../explain/explanation.ts';
import type { GroupNames } from '../explain/groupNames.ts';
import type { Judged } from '../explain/judgedSamples.ts';
import type { HandlerReads } from '../explain/reads.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import type { SourcePlace } from '../local/thrown.ts';

/** Where a login is from: a stored sample event, one of the ports of `npm start`, a paste, or a sign-in at one's own provider. */
export type Origin = 'sample' | 'received' | 'pasted' | 'signed in';

/** How a response compares with the expected one of its sample; `other`: the sample expects another handler. */
export type Verdict = Judged['verdict']['kind'];

/** A login in the list. */
export interface LoginRow {
  id: string;
  origin: Origin;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** Of the sample, or when it came. */
  name: string;
  /** The person's name, as the response has it, or else the event; null where neither says it. */
  person: string | null;
  /** As the event has it; null where it names none. */
  issuer: string | null;
  /** Whether it is a sample of login-hooks, and not one of the operator's own. */
  isShipped: boolean;
  /** The type of the response; null where the process ended or hung. */
  type: string | null;
  /** A code of the table of reasons, or what happened to the process. */
  reason: string;
  /** The reason when it came, with the checks on, where it was another one; else null. */
  cameAs: string | null;
  /** The handler in force, as the log names it. */
  handler: string;
  /** Who got in or not, and why; before it that this is not what the sample expects, where somebody gets in. */
  sentence: string;
  /** Whether it is authorized, and its sample expects that it is not. */
  isWronglyIn: boolean;
  verdict: Verdict;
  /** What the last change of a file changed in the response; empty where nothing. */
  changes: Difference[];
  /** When it came, in milliseconds since 1970; null for a sample. */
  at: number | null;
}

/** A login, with all that the function says of it. */
export interface LoginDetail extends LoginRow {
  /** As its handler gets it; as it arrived, where it is not valid. */
  event: unknown;
  /** Out of its HTTP envelope, where it has one. */
  arrived: unknown;
  isHttp: boolean;
  status: number;
  answer: unknown;
  explanation: Explanation;
  /** Null for the default handler and a mapping, and where no handler decided. */
  reads: HandlerReads | null;
  /** What decided it. */
  card: CardRow[];
  /** As the mapping has each rule, by its path; empty for a handler of plain code. */
  ruleTexts: Readonly<Record<string, string>>;
  /** From the expected response. */
  differences: Difference[];
  /** What the mapping calls the user groups of the responses. */
  groupNames: GroupNames;
  /** The record of the login. */
  record: LogRecord | null;
  /** What the handler printed. */
  printed: string[];
  /** Why the function failed, with the place in the source where it is known. */
  failure: { text: string; place: SourcePlace | null } | null;
  /** Whether callers, tokens and assertions were checked, as far as the settings say so. */
  isChecked: boolean;
  /** Where the function's clock stood, in milliseconds since 1970; null for the real time. */
  moment: number | null;
  /** From the project's folder; null for a login that is not stored. */
  file: string | null;
  /** The source of the handler that answered, from the project's folder; null for one that is not in it. */
  handlerFile: string | null;
  /** The command that answers it alike; null for a login that is not stored. */
  command: string | null;
  /** Of a paste: what is wrong with it, or worth knowing. */
  findings: Finding[];
  /**
   * Method and URL of requests to other systems that the handler would send and whose responses are not recorded.
   * `POST /api/logins/:id/ask` sends them.
   */
  wouldAsk: string[];
  /** Method and URL of requests to other systems whose responses are kept in memory, and answer the login from now on. */
  heard: string[];
  /** The command that writes these responses beside the sample; null for a login that is not stored. */
  recording: string | null;
}

/** A file that was opened in the operator's editor. */
export interface Opened {
  /** E.g. `Opened handlers/staff-group.ts in code`. */
  opened: string;
}

export interface Project {
  stage: string;
  functions: {
    name: string;
    /** As the setting has it, or `default`. */
    handler: string;
    /** Each check by its setting, e.g. `CALLER_CHECK: signature`. */
    checks: Record<string, string>;
    /** What its handler setting may name: the project's handlers for logins of this kind. */
    handlers: string[];
  }[];
  /** Handlers that cannot be built, and why the last change is not in force. */
  problems: string[];
  served: Served;
}

/** Whether the functions that answer are made of the files as they are. */
export interface Served {
  /** `saving`: a change was seen, and what answers is older. `refused`: what the last change made cannot be built. */
  state: 'unchanged' | 'saving' | 'served' | 'refused';
  /** Since when, in milliseconds since 1970. */
  at: number;
}

/** What `POST /api/paste` takes. */
export interface Paste {
  /** What was caught, as text. */
  text: string;
  /** The SAML metadata of the provider, where it is at hand. */
  metadata?: string;
}

export interface Pasted {
  /** What was found, in the order in which it stands in the paste. */
  captures: {
    /** The id of the login in the list; null where no event can be made of it. */
    id: string | null;
    /** What it is, e.g. `SAMLResponse`. */
    kind: string;
    /** Where it stood in the paste, e.g. `entry 12`; empty where it is the whole of it. */
    where: string;
    findings: Finding[];
  }[];
  /** Why nothing was found; null where something was. */
  problem: string | null;
}

/** What `GET /api/logins/:id/keep` gives. */
export interface ProposedSample {
  /** Of no sample that is there, and without a text of the person. */
  name: string;
}

/** What `POST /api/logins/:id/keep` takes. */
export interface Keep {
  /** Of the sample, without `.json`. */
  name: string;
  /** Texts that stay because the operator says so; none where it is left out. */
  ticked?: PlacedText[];
}

/** A text of an event or a recorded response, and where it stands: items of a list share their place. */
export interface PlacedText {
  path: string;
  text: string;
}

/** A sample that is to be written. */
export interface KeepPlan {
  /** Names this plan when it is confirmed; null where something stands in the way. */
  id: string | null;
  /** The texts of the original that stay, for confirmation. */
  stays: readonly (PlacedText & { why: string })[];
  /** Those that are replaced, and may be ticked. */
  replaced: readonly PlacedText[];
  /** Why it cannot be written. */
  blockers: string[];
  /** Method and URL of requests that need a recorded response first. `POST /api/logins/:id/ask` sends them. */
  unanswered: readonly string[];
  event: unknown;
  expected: unknown;
  /** What is written, from the project's folder. */
  files: string[];
}

export interface KeptSample {
  /** In the list. */
  id: string;
  /** Which answers it from now on. */
  command: string;
}

export interface Comparison {
  /** The handler that answers in place of those in force, as a setting names it. */
  after: string;
  groupNames: GroupNames;
  rows: {
    id: string;
    /** Of the sample; of another login the person's, and when it came. */
    name: string;
    before: { type: string | null; reason: string };
    after: { type: string | null; reason: string };
    differences: Difference[];
  }[];
}

/** What `GET /api/coverage/:functionName` sends a list of: each mapping that answered a login of the function. */
export interface MappingCoverage {
  handler: string;
  /** How many logins it answered. */
  logins: number;
  coverage: Coverage;
}

/** What `GET /api/changes` sends, as server-sent events of the name `logins`, at first and after each change. */
export interface Changed {
  logins: LoginRow[];
  /** How many logins are not in the list any more, because there was no room for more. */
  forgotten: number;
  project: Project;
  /** The files that changed, from the project's folder. */
  files: string[];
}

/** Of every response with a status from 400 on. */
export interface Problem {
  message: string;
  /** Of a sign-in: the provider's own words; left out or null where it has none. */
  theirs?: string | null;
}

/** What `GET /api/sign-in` sends: what to register at a provider, to copy. */
export interface Registration {
  /** Of the kinds of login that the project has. */
  protocols: SignInResult['protocol'][];
  openid: { redirectUri: string; providers: { provider: string; steps: string[] }[] };
  saml: {
    entityId: string;
    /** The assertion consumer service. */
    acs: string;
    /** Our metadata, as XML. */
    metadata: string;
    providers: { provider: string; steps: string[] }[];
  };
  /** The names of secrets that may stand in place of a typed one; empty where `SECRETS_FILE` is not set. */
  secretNames: string[];
}

/** Who signs in. */
interface Who {
  /** The provider asks, even where somebody is signed in. */
  somebodyElse?: boolean;
}

/** What `POST /api/sign-in/openid` takes. */
export interface OpenIdSignIn extends Who {
  issuer: string;
  clientId: string;
  /** Typed; stays in memory. Left out for a public client, or where `secretName` says it. */
  clientSecret?: string;
  /** Of `SECRETS_FILE`. */
  secretName?: string;
  /** Apart by spaces; `openid email profile` where it is left out. */
  scopes?: string;
}

/** What `POST /api/sign-in/saml` takes: the metadata of the provider as XML, or the address of it. */
export interface SamlSignIn extends Who {
  metadata?: string;
  metadataUrl?: string;
  /** Which provider of a federation's metadata is meant. */
  entityId?: string;
}

/** What starts a sign-in. */
export interface SignInStarted {
  /** To be opened by `location.assign`. */
  url: string;
  /** What the provider seems to object to; null for nothing. */
  warning: string | null;
}

/** What `GET /api/sign-ins/:id` sends. The provider's callback leads to `/#/sign-in/<id>`. */
export interface SignInResult {
  protocol: 'openid' | 'saml';
  /** The id of the login in the list; null where no event can be made of it. */
  login: string | null;
  /** Null where there is a login. */
  refused: {
    /** The provider's own words; null where it has none. */
    theirs: string | null;
    /** What to change, and where. */
    ours: string;
  } | null;
  findings: Finding[];
  /** For OpenID, where each claim is from. */
  claims: { name: string; idToken: boolean; userInfo: boolean; isSame: boolean }[];
}
