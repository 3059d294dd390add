/** A provider that leaves out any part of its response, or says it twice: a login, or a refusal with all that is wrong. */
import { describe, expect, test } from '@jest/globals';
import { XMLSerializer } from '@xmldom/xmldom';
import { generate } from 'selfsigned';
import { elementsBelow, parseXml } from '../../tools/capture/xml.ts';
import { signedBy } from '../support/samlIdp.ts';
import { samlSignIn } from './samlSignIn.ts';

const signer = await generate();
const { login, refusal } = await samlSignIn(signer.cert);

type Change = (element: Element) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  left_out: (element) => void element.parentNode?.removeChild(element),
  twice: (element) => void element.parentNode?.appendChild(element.cloneNode(true)),
  empty: (element) => {
    while (element.firstChild) element.removeChild(element.firstChild);
  },
  without_attributes: (element) => {
    for (const { name } of Array.from(element.attributes)) {
      if (!name.startsWith('xmlns') && name !== 'ID') element.removeAttribute(name);
    }
  },
};

/** Those of an assertion, and of the response around it. */
const PARTS = [
  ...['Issuer', 'Status', 'StatusCode', 'Subject', 'NameID', 'SubjectConfirmation'],
  ...['SubjectConfirmationData', 'Conditions', 'AudienceRestriction', 'Audience', 'AuthnStatement'],
  ...['AuthnContext', 'AttributeStatement', 'Attribute', 'AttributeValue'],
];

/** What a sign-in cannot do without, or no event can be made without. Of the other parts, it is for the handler to say. */
const CONFIRMED = ['Issuer', 'Status', 'Subject', 'SubjectConfirmation', 'Conditions'];
const LEFT_OUT = ['StatusCode', 'NameID', 'SubjectConfirmationData', 'AudienceRestriction', 'Audience'];
const ATTRIBUTES = ['StatusCode', 'SubjectConfirmation', 'SubjectConfirmationData'];
const REFUSED: Readonly<Record<string, string[]>> = {
  left_out: [...CONFIRMED, ...LEFT_OUT, 'AuthnStatement'],
  twice: ['Subject', 'Conditions'],
  empty: [...CONFIRMED, 'AudienceRestriction', 'Audience'],
  without_attributes: [...ATTRIBUTES, 'Conditions', 'AuthnStatement'],
};

function changing(part: string, change: Change): (xml: string) => string {
  return (xml) => {
    const response = parseXml(xml, 'the response');
    const found = elementsBelow(response, '*', part);
    expect(found).not.toEqual([]);
    // The last one of a name is the assertion's.
    change(found.at(-1) as Element);
    return signedBy(new XMLSerializer().serializeToString(response), signer);
  };
}

describe.each(Object.entries(CHANGES))('A part of the response is %s', (name, change) => {
  test.each(PARTS)('%s', async (part) => {
    const wishes = { signAssertion: false, change: changing(part, change) };
    if (!REFUSED[name]?.includes(part)) {
      expect(await login(wishes)).toMatchObject({ functionName: 'samlLoggedIn' });
      return;
    }
    const [first] = (await refusal(wishes)).findings;
    expect(first).toMatchObject({ level: 'error', change: expect.any(String) });
  });
});
