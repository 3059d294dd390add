/** With the worked handlers: nobody logs in whom their pages say they keep out. */
import { isDeepStrictEqual } from 'node:util';
import type fc from 'fast-check';
import {
  directoryEvent,
  directoryLogin,
  type EntraLogin,
  entraEvent,
  entraLogin,
  orcidEvent,
  orcidLogin,
  STAFF_ISSUER,
  staffEvent,
  staffLogin,
  userInfoEvent,
  userInfoGroupsEvent,
  userInfoGroupsLogin,
  userInfoLogin,
} from '../arbitraries/workedLogins.ts';
import { CONTEXT, type LoadOptions, loadFunction } from '../loginFunction.ts';
import { FIRST_UUID } from '../mappings.ts';
import type { Answer } from '../oracle/answer.ts';
import { claimsEvidence } from '../oracle/claims.ts';
import { demand } from '../oracle/demand.ts';
import { isText } from '../oracle/json.ts';
import { requireMappedLogin } from '../oracle/mappedLogin.ts';
import { addressOf, mergedClaims } from '../oracle/userInfo.ts';
import { groupsOf, orcidEmails, PEOPLE } from '../outside.ts';
import { type Property, property } from '../property.ts';
import {
  ENTRA_ISSUER,
  ENTRA_TABLE,
  TENANT,
  USER_INFO_GROUPS,
  WORKED_OPENID,
  WORKED_SAML,
} from '../workedMappings.ts';
import { mappingProperties } from './mappings.ts';

const ORCID_ID = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/;

/** @param outsideUrl of the systems that the handlers ask, and of the issuer whose UserInfo is asked for */
export async function workedHandlerProperties(outsideUrl: string, options: LoadOptions): Promise<Property[]> {
  const openId = await loadFunction('openidLoggedIn', options);
  const saml = await loadFunction('samlLoggedIn', options);

  function lookingUp<TLogin>(
    { answer }: typeof openId,
    name: string,
    logins: fc.Arbitrary<TLogin>,
    eventOf: (login: TLogin) => string,
    requireAnswer: (login: TLogin, answer: Answer) => void,
  ): Property {
    return property(`worked: ${name}`, 1, logins, async (login) => {
      requireAnswer(login, await answer(eventOf(login), CONTEXT));
      saml.takeLog();
    });
  }

  return [
    ...(await mappingProperties('openidLoggedIn', WORKED_OPENID, options)),
    ...(await mappingProperties('samlLoggedIn', WORKED_SAML, options)),
    lookingUp(openId, 'userinfo-profile', userInfoLogin(outsideUrl), userInfoEvent, (login, answer) => {
      const isMeant = login.issuer === outsideUrl && login.isSamePerson;
      requireAddress(answer, isMeant ? addressOf(login.own, login.more) : null);
    }),
    property('worked: userinfo-groups', 1, userInfoGroupsLogin(outsideUrl), async (login) => {
      const event = JSON.parse(userInfoGroupsEvent(login));
      const { idToken } = event;
      const otherClaims = mergedClaims(idToken.otherClaims, login.more);
      const evidence = claimsEvidence({ ...event, idToken: { ...idToken, otherClaims } }, login.more);
      requireMappedLogin(USER_INFO_GROUPS, evidence, await openId.login(JSON.stringify(event)));
    }),
    lookingUp(openId, 'orcid-email', orcidLogin, orcidEvent, ({ issuer, sub }, answer) => {
      const verified = orcidEmails(sub).filter((email) => email.verified);
      const { email } = verified.find(({ primary }) => primary) ?? verified[0] ?? {};
      requireAddress(answer, (issuer === 'https://orcid.org' && ORCID_ID.test(sub) && email) || null);
    }),
    lookingUp(saml, 'directory-lookup', directoryLogin, directoryEvent, ({ issuer, nameId }, answer) => {
      const isMeant = issuer === 'https://sso.example.org/saml' && PEOPLE.includes(nameId);
      requireAddress(answer, isMeant ? `${nameId}@example.org` : null);
    }),
    lookingUp(openId, 'entra-groups, too many to be told', entraLogin, entraEvent, requireEntra),
    lookingUp(saml, 'staff-group', staffLogin, staffEvent, ({ issuer, role }, answer) => {
      requireAddress(answer, issuer === STAFF_ISSUER ? 'ada@example.org' : null);
      requireUserGroups(answer, role.trim() === 'staff' ? [FIRST_UUID] : []);
    }),
  ];
}

/** Where the token does not tell all groups, those of Microsoft Graph are added; where nobody can be asked about, nobody logs in. */
function requireEntra({ issuer, claims }: EntraLogin, answer: Answer): void {
  const { tid, oid, hasgroups, _claim_names: names, groups } = claims;
  const isCut =
    hasgroups === true || hasgroups === 'true' || (names !== undefined && !isDeepStrictEqual(names, {}));
  const isAsked = isCut || groups === undefined;
  const isPerson = tid === TENANT && isText(oid) && oid.startsWith('00000000-');
  const isMeant = issuer === ENTRA_ISSUER && (!isAsked || (isPerson && names !== 'groups'));
  demand(isMeant === (answer.type === 'AuthorizedUserResponse'), 'who logs in is who has known groups');
  const ids = [...((groups ?? []) as string[]), ...(isAsked ? groupsOf(String(oid)) : [])];
  requireUserGroups(
    answer,
    ENTRA_TABLE.filter(({ group }) => ids.includes(group)).map(({ uuid }) => uuid),
  );
}

function requireAddress(answer: Answer, address: string | null): void {
  const authorized = answer.type === 'AuthorizedUserResponse' ? answer.email : null;
  demand(authorized === address, `logs in as ${address ?? 'nobody'}, not as ${authorized ?? 'nobody'}`);
}

function requireUserGroups(answer: Answer, uuids: string[]): void {
  if (answer.type !== 'AuthorizedUserResponse') return;
  const given = answer.user_group_uuids as string[];
  demand([...given].sort().join() === uuids.sort().join(), `the user groups are [${uuids}], not [${given}]`);
}
