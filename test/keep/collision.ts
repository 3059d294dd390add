/** Words of which some always meet another one where their stand-ins meet, whatever these are. */

const [CONSONANTS, VOWELS] = [Array.from('bdfgklmnprstv'), Array.from('aeiou')];

/** In a text as long as this, stand-ins are as long as their words: that of `Eve` ends with a vowel and a consonant. */
export const COLLIDING = `${'eve '.repeat(40)}eve7`;

/** What the end of that stand-in and a digit are together. */
export const MET = VOWELS.flatMap((vowel) =>
  CONSONANTS.flatMap((consonant) => Array.from('123456789', (digit) => vowel + consonant + digit)),
);
