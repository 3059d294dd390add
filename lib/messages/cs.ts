import type { Words } from './en.ts';

/** Czech, with "vy". */
export const WORDS: Words = {
  forbidden:
    'Sem se nemůžete přihlásit. Pokud si myslíte, že jde o omyl, obraťte se na provozovatele této služby.',
  not_completed:
    'Přihlášení se nezdařilo. Zkuste to prosím znovu. Pokud se nezdaří ani potom, obraťte se na provozovatele této služby.',

  not_sent: 'Váš poskytovatel identity neposlal {fields}.',
  email: 'vaši e-mailovou adresu',
  first_name: 'vaše jméno',
  last_name: 'vaše příjmení',
  and: 'ani',
  email_ambiguous: 'Váš poskytovatel identity poslal několik e-mailových adres jako jeden text.',
  email_invalid: 'Váš poskytovatel identity poslal e-mailovou adresu, kterou nelze použít.',
  email_compatibility:
    'Váš poskytovatel identity poslal e-mailovou adresu se znaky pro kompatibilitu, které vypadají jako jiné znaky.',
  email_unverified: 'Váš poskytovatel identity uvádí, že vaše e-mailová adresa není ověřená.',
  email_unproven: 'Váš poskytovatel identity neuvádí, že je vaše e-mailová adresa ověřená.',
  external_id_missing: 'Váš poskytovatel identity neposlal váš trvalý identifikátor.',

  issuer_not_listed: 'S tímto poskytovatelem identity se sem nemůžete přihlásit.',
  groups_unknown: 'Váš poskytovatel identity nesdělil, ve kterých skupinách jste.',
  groups_ambiguous:
    'Váš poskytovatel identity poslal vaše skupiny v podobě, kterou nelze přečíst. Obraťte se prosím na provozovatele této služby.',
  email_domains: 'Vaše e-mailová adresa nepatří žádné organizaci, která se sem smí přihlašovat.',
  scopes: 'Vaše organizace nepotvrdila, že se sem smíte přihlásit.',
  any_group: 'Nejste v žádné ze skupin, které se sem smějí přihlásit.',
  no_group: 'Jste ve skupině, která se sem nesmí přihlásit.',
  claim: 'Váš účet nemá, co je k přihlášení sem potřeba.',
  assurance: 'Vaše přihlášení je příliš staré nebo nedostatečně bezpečné. Přihlaste se prosím znovu.',
  assurance_unknown: 'Váš poskytovatel identity nesdělil, jak nebo kdy jste se přihlásili.',
  claim_unknown: 'Váš poskytovatel identity nesdělil, zda se sem váš účet smí přihlásit.',

  not_set_up: 'Přihlašování k této službě není správně nastaveno. Obraťte se prosím na její provozovatele.',
  not_confirmed: 'Vaše přihlášení se nepodařilo potvrdit. Přihlaste se prosím znovu.',
  not_checked: 'Vaše přihlášení se nepodařilo ověřit. Zkuste to prosím později.',
  look_up_failed:
    'Přihlášení se nezdařilo, protože jiný systém neodpověděl podle očekávání. Zkuste to prosím později.',
  timed_out: 'Přihlášení trvalo příliš dlouho. Zkuste to prosím znovu.',

  not_signed: 'Požadavek není podepsán službou, která sem smí přihlášení posílat.',
  body_too_large: 'Tělo požadavku je příliš velké: očekává se nejvýše {maxBytes} bajtů.',
  content_type_not_json: 'Typ obsahu požadavku není JSON: očekává se application/json.',
  body_missing: 'Požadavek nemá tělo: očekává se událost přihlášení ve formátu JSON.',
  body_not_json: 'Tělo požadavku není JSON: očekává se událost přihlášení ve formátu JSON.',
  event_invalid: 'Událost přihlášení není platná. {problems}.',

  reference: '(Referenční číslo: {requestId})',
};
