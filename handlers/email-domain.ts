/** Lets in the people of one organisation by their e-mail address, and tells the others why not. */
import { mapOpenIdLogin } from '#sdk';

export default mapOpenIdLogin({
  rules: [
    {
      email_domains: ['example.org', '*.example.org'],
      message: 'Please log in with your example.org account.',
    },
  ],
});
