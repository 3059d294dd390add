/** Recorded responses of other systems: kept with the event, and without the person. */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type SampleEvent, sampleEvent } from '../../tools/local/events.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { Samples } from '../../tools/local/samples.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent } from '../support/wire.ts';
import { engine, plan, writtenText } from './keeping.ts';

afterAll(() => engine.close());

function exchange(request: string, json: unknown, more: Partial<Exchange> = {}): Exchange {
  return { request, status: 200, headers: { 'content-type': 'application/json' }, json, ...more };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Answers the kept event as `npm run check` does. */
async function answeredAgain(
  functionName: string,
  { event, outside }: Awaited<ReturnType<typeof plan>>,
  handler: string,
) {
  const sample: SampleEvent = { functionName, name: 'x', file: 'x.json', event, expected: null, outside };
  return new Samples(engine, { isOffline: true }).answer(sample, handler);
}

describe('worked handlers that ask other systems are kept with what these answered', () => {
  const ORCID = '0000-0002-1825-0097';
  const email = (address: string, verified: boolean) => ({
    email: address,
    primary: verified,
    verified,
    visibility: 'public',
  });

  test('orcid-email', async () => {
    const event = (await sampleEvent('openidLoggedIn', 'orcid')) as { idToken: { sub: string } };
    event.idToken.sub = ORCID;
    const json = {
      email: [email('josiah@carberry.example', true), email('old@carberry.example', false)],
      path: `/${ORCID}/email`,
    };
    const exchanges = [exchange(`GET https://pub.orcid.org/v3.0/${ORCID}/email`, json)];
    const kept = await plan('openidLoggedIn', event, { handlerModule: 'handlers/orcid-email', exchanges });
    expect(kept.blockers).toEqual([]);
    const { sub } = (kept.event as typeof event).idToken;
    expect(sub).toMatch(/^\d{4}-\d{4}-\d{4}-\d{4}$/);
    expect(kept.outside?.[0]?.request).toBe(`GET https://pub.orcid.org/v3.0/${sub}/email`);
    expect(kept.expected?.answer.email).toMatch(/^\w+@\w+\.\w+\.example$/);
    expect(writtenText(kept).raw).not.toMatch(/josiah|carberry|-1825-/i);
    expect(kept.files.map((file) => file.replace(/.*\//, ''))).toEqual([
      'zz-1.json',
      'zz-1.outside.json',
      'zz-1.expected.json',
    ]);
    const again = await answeredAgain('openidLoggedIn', kept, 'handlers/orcid-email');
    expect(again.response).toEqual(kept.expected?.answer);
    expect(kept.stays).toContainEqual({
      text: 'https://pub.orcid.org',
      why: 'a system that the handler asks',
    });
  });

  test('userinfo-profile', async () => {
    const event = (await sampleEvent('openidLoggedIn', 'surfconext-no-profile-claims')) as {
      idToken: { sub: string; iss: string };
    };
    const { sub, iss } = event.idToken;
    const claims = { sub, email: 'ada@uni.example.edu', given_name: 'Ada', family_name: 'Lovelace' };
    const exchanges = [
      exchange(`GET ${iss}/.well-known/openid-configuration`, {
        issuer: iss,
        userinfo_endpoint: `${iss}/oidc/userinfo`,
      }),
      exchange(`GET ${iss}/oidc/userinfo`, claims),
    ];
    const kept = await plan('openidLoggedIn', event, {
      handlerModule: 'handlers/userinfo-profile',
      exchanges,
    });
    expect(kept.blockers).toEqual([]);
    expect(kept.expected?.answer.type).toBe('AuthorizedUserResponse');
    expect(writtenText(kept).raw).not.toMatch(/lovelace|ada@|uni\.example/i);
    expect((await answeredAgain('openidLoggedIn', kept, 'handlers/userinfo-profile')).response).toEqual(
      kept.expected?.answer,
    );
  });
});

const ASKS = `export default async ({ id_token }) => {
  const { email, name } = id_token.other_claims;
  const options = name ? { method: 'POST', body: name } : {};
  const response = await fetch('https://people.example.net/by/' + encodeURIComponent(email) + '?q=' + id_token.sub, options);
  const person = await response.json();
  const [key] = Object.keys(person.of ?? {});
  return { type: 'AuthorizedUserResponse', first_name: person.first, last_name: person.last, email, affiliation: key ?? null };
};`;

function asking(claims: Record<string, unknown>) {
  const event = openIdEvent();
  event.idToken.sub = 'ada.lovelace/7';
  event.idToken.otherClaims = claims;
  return event;
}

const URL = 'https://people.example.net/by/ada%40x.example.org?q=ada.lovelace/7';
const PERSON = {
  first: 'Ada',
  last: 'Lovelace',
  of: { 'ada lovelace': 1 },
  since: '1815-12-10',
  department: 'Analysis',
};

describe('a recorded response', () => {
  test('has a request with the stand-ins, and no key that carries data', async () => {
    const handlerModule = await customHandler(ASKS);
    const exchanges = [exchange(`GET ${URL}`, PERSON)];
    const kept = await plan('openidLoggedIn', asking({ email: 'ada@x.example.org' }), {
      handlerModule,
      exchanges,
    });
    expect(kept.blockers).toEqual([]);
    expect(kept.outside).toHaveLength(1);
    expect(kept.outside?.[0]?.json).toMatchObject({
      first: expect.any(String),
      department: expect.any(String),
    });
    expect(writtenText(kept).raw).not.toMatch(/ada(?!.*expected)|lovelace|1815|analysis/i);
  });

  test('that the handler does not ask for is left out', async () => {
    const handlerModule = await customHandler(ASKS);
    const exchanges = [
      exchange(`GET ${URL}`, PERSON),
      exchange('GET https://people.example.net/others/byron', { first: 'Byron' }),
      exchange(`GET ${URL}`, PERSON, { body_sha256: sha256('ada') }),
    ];
    const kept = await plan('openidLoggedIn', asking({ email: 'ada@x.example.org' }), {
      handlerModule,
      exchanges,
    });
    expect(kept.blockers).toEqual([]);
    expect(kept.outside).toHaveLength(1);
    expect(JSON.stringify(kept.outside)).not.toMatch(/byron|body_sha256/i);
  });

  test('to a body that has a replaced text in it stands in the way: its digest would tell the text', async () => {
    const handlerModule = await customHandler(ASKS);
    const exchanges = [exchange(`POST ${URL}`, PERSON, { body_sha256: sha256('Ada') })];
    const event = asking({ email: 'ada@x.example.org', name: 'Ada' });
    const { blockers } = await plan('openidLoggedIn', event, { handlerModule, exchanges });
    expect(blockers).toContainEqual(
      expect.stringContaining('The handler asks https://people.example.net something that is not recorded'),
    );
    expect(blockers.join()).not.toMatch(/ada|lovelace/i);
  });

  test('that is missing stands in the way, and only the host is told', async () => {
    const handlerModule = await customHandler(ASKS);
    const { blockers } = await plan('openidLoggedIn', asking({ email: 'ada@x.example.org' }), {
      handlerModule,
    });
    expect(blockers).toEqual([
      'The handler asks https://people.example.net, and what it answers is not recorded: record it first.',
    ]);
  });
});
