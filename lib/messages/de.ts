import type { Words } from './en.ts';

/** German, with "Sie". */
export const WORDS: Words = {
  forbidden:
    'Sie dürfen sich hier nicht anmelden. Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an die Betreiber dieses Dienstes.',
  not_completed:
    'Ihre Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut. Wenn es wieder nicht gelingt, wenden Sie sich bitte an die Betreiber dieses Dienstes.',

  not_sent: 'Ihr Identitätsanbieter hat {fields} nicht gesendet.',
  email: 'Ihre E-Mail-Adresse',
  first_name: 'Ihren Vornamen',
  last_name: 'Ihren Nachnamen',
  and: 'und',
  email_ambiguous: 'Ihr Identitätsanbieter hat mehrere E-Mail-Adressen als einen Text gesendet.',
  email_invalid: 'Ihr Identitätsanbieter hat eine E-Mail-Adresse gesendet, die nicht verwendet werden kann.',
  email_compatibility:
    'Ihr Identitätsanbieter hat eine E-Mail-Adresse mit Kompatibilitätszeichen gesendet, die wie andere Zeichen aussehen.',
  email_unverified: 'Ihr Identitätsanbieter sagt, dass Ihre E-Mail-Adresse nicht bestätigt ist.',
  email_unproven: 'Ihr Identitätsanbieter sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist.',
  external_id_missing: 'Ihr Identitätsanbieter hat keine dauerhafte Kennung für Sie gesendet.',

  issuer_not_listed: 'Mit diesem Identitätsanbieter können Sie sich hier nicht anmelden.',
  groups_unknown: 'Ihr Identitätsanbieter hat nicht mitgeteilt, in welchen Gruppen Sie sind.',
  groups_ambiguous:
    'Ihr Identitätsanbieter hat Ihre Gruppen in einer Form gesendet, die nicht gelesen werden kann. Bitte wenden Sie sich an die Betreiber dieses Dienstes.',
  email_domains: 'Ihre E-Mail-Adresse gehört zu keiner Organisation, die sich hier anmelden darf.',
  scopes: 'Ihre Organisation hat nicht bestätigt, dass Sie sich hier anmelden dürfen.',
  any_group: 'Sie sind in keiner der Gruppen, die sich hier anmelden dürfen.',
  no_group: 'Sie sind in einer Gruppe, die sich hier nicht anmelden darf.',
  claim: 'Ihr Konto hat nicht, was für die Anmeldung hier nötig ist.',
  assurance:
    'Ihre Anmeldung beim Identitätsanbieter ist zu alt oder nicht sicher genug. Bitte melden Sie sich erneut an.',
  assurance_unknown: 'Ihr Identitätsanbieter hat nicht mitgeteilt, wie oder wann Sie sich angemeldet haben.',
  claim_unknown: 'Ihr Identitätsanbieter hat nicht mitgeteilt, ob sich Ihr Konto hier anmelden darf.',

  not_set_up:
    'Die Anmeldung bei diesem Dienst ist nicht richtig eingerichtet. Bitte wenden Sie sich an die Betreiber.',
  not_confirmed: 'Ihre Anmeldung konnte nicht bestätigt werden. Bitte melden Sie sich erneut an.',
  not_checked: 'Ihre Anmeldung konnte nicht geprüft werden. Bitte versuchen Sie es später erneut.',
  look_up_failed:
    'Ihre Anmeldung ist fehlgeschlagen, weil ein anderes System nicht wie erwartet geantwortet hat. Bitte versuchen Sie es später erneut.',
  timed_out: 'Ihre Anmeldung hat zu lange gedauert. Bitte versuchen Sie es erneut.',

  not_signed: 'Die Anfrage ist nicht von einem Dienst signiert, der hier Anmeldungen senden darf.',
  body_too_large: 'Der Inhalt der Anfrage ist zu groß: erwartet werden höchstens {maxBytes} Bytes.',
  content_type_not_json: 'Der Inhaltstyp der Anfrage ist nicht JSON: erwartet wird application/json.',
  body_missing: 'Die Anfrage hat keinen Inhalt: erwartet wird ein Anmeldeereignis als JSON.',
  body_not_json: 'Der Inhalt der Anfrage ist kein JSON: erwartet wird ein Anmeldeereignis als JSON.',
  event_invalid: 'Das Anmeldeereignis ist nicht gültig. {problems}.',

  reference: '(Referenz: {requestId})',
};
