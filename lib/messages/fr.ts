import type { Words } from './en.ts';

/** French, with "vous". */
export const WORDS: Words = {
  forbidden:
    'Vous ne pouvez pas vous connecter ici. Si vous pensez qu’il s’agit d’une erreur, contactez les responsables de ce service.',
  not_completed:
    'Votre connexion a échoué. Veuillez réessayer. En cas de nouvel échec, contactez les responsables de ce service.',

  not_sent: 'Votre fournisseur d’identité n’a pas envoyé {fields}.',
  email: 'votre adresse e-mail',
  first_name: 'votre prénom',
  last_name: 'votre nom',
  and: 'ni',
  email_ambiguous: 'Votre fournisseur d’identité a envoyé plusieurs adresses e-mail en un seul texte.',
  email_invalid: 'Votre fournisseur d’identité a envoyé une adresse e-mail inutilisable.',
  email_compatibility:
    'Votre fournisseur d’identité a envoyé une adresse e-mail avec des caractères de compatibilité, qui ressemblent à d’autres.',
  email_unverified: 'Votre fournisseur d’identité indique que votre adresse e-mail n’est pas vérifiée.',
  email_unproven: 'Votre fournisseur d’identité n’indique pas que votre adresse e-mail est vérifiée.',
  external_id_missing: 'Votre fournisseur d’identité n’a pas envoyé d’identifiant permanent pour vous.',

  issuer_not_listed: 'Vous ne pouvez pas vous connecter ici avec ce fournisseur d’identité.',
  groups_unknown: 'Votre fournisseur d’identité n’a pas indiqué à quels groupes vous appartenez.',
  groups_ambiguous:
    'Votre fournisseur d’identité a envoyé vos groupes sous une forme illisible. Veuillez contacter les responsables de ce service.',
  email_domains: 'Votre adresse e-mail n’appartient à aucune organisation qui peut se connecter ici.',
  scopes: 'Votre organisation n’a pas confirmé que vous pouvez vous connecter ici.',
  any_group: 'Vous n’appartenez à aucun des groupes qui peuvent se connecter ici.',
  no_group: 'Vous appartenez à un groupe qui ne peut pas se connecter ici.',
  claim: 'Votre compte n’a pas ce qu’il faut pour se connecter ici.',
  assurance:
    'Votre authentification est trop ancienne ou pas assez sûre pour se connecter ici. Veuillez vous authentifier à nouveau.',
  assurance_unknown:
    'Votre fournisseur d’identité n’a pas indiqué comment ou quand vous vous êtes authentifié.',
  claim_unknown: 'Votre fournisseur d’identité n’a pas indiqué si votre compte peut se connecter ici.',

  not_set_up:
    'La connexion à ce service n’est pas configurée correctement. Veuillez contacter ses responsables.',
  not_confirmed: 'Votre connexion n’a pas pu être confirmée. Veuillez vous connecter à nouveau.',
  not_checked: 'Votre connexion n’a pas pu être vérifiée. Veuillez réessayer plus tard.',
  look_up_failed:
    'Votre connexion a échoué, car un autre système n’a pas répondu comme prévu. Veuillez réessayer plus tard.',
  timed_out: 'Votre connexion a pris trop de temps. Veuillez réessayer.',

  not_signed: 'La requête n’est pas signée par un service qui peut envoyer des connexions ici.',
  body_too_large: 'Le corps de la requête est trop volumineux : {maxBytes} octets au plus sont attendus.',
  content_type_not_json: 'Le type de contenu de la requête n’est pas JSON : application/json est attendu.',
  body_missing: 'La requête n’a pas de corps : un événement de connexion en JSON est attendu.',
  body_not_json: 'Le corps de la requête n’est pas du JSON : un événement de connexion en JSON est attendu.',
  event_invalid: 'L’événement de connexion n’est pas valide. {problems}.',

  reference: '(Référence : {requestId})',
};
