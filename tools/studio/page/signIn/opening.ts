/** Where a sign-in leads the tab, and where it comes back to. */

const OPENED = ['https:', 'http:'];

/** @returns the address, where it is one of the web; null for any other, such as `javascript:` */
export function webAddress(url: string): URL | null {
  const address = URL.parse(url);
  return address !== null && OPENED.includes(address.protocol) ? address : null;
}

/**
 * @param returned what the provider sends the browser to
 * @param here the origin of this tab, which alone has the token
 * @returns why the tab could not show the result; null where it can
 */
export function returnProblem(returned: string, here: string): string | null {
  const back = URL.parse(returned)?.origin ?? returned;
  if (back === here) return null;
  return `The provider sends you back to ${back}, and this page is open as ${here}. Open the address that npm start prints, and sign in there.`;
}
