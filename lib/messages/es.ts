import type { Words } from './en.ts';

/** Spanish, with "usted". */
export const WORDS: Words = {
  forbidden:
    'No tiene permiso para iniciar sesión aquí. Si cree que se trata de un error, póngase en contacto con los responsables de este servicio.',
  not_completed:
    'No se ha podido iniciar sesión. Inténtelo de nuevo. Si vuelve a fallar, póngase en contacto con los responsables de este servicio.',

  not_sent: 'Su proveedor de identidad no ha enviado {fields}.',
  email: 'su dirección de correo electrónico',
  first_name: 'su nombre',
  last_name: 'sus apellidos',
  and: 'ni',
  email_ambiguous:
    'Su proveedor de identidad ha enviado varias direcciones de correo electrónico en un solo texto.',
  email_invalid:
    'Su proveedor de identidad ha enviado una dirección de correo electrónico que no se puede usar.',
  email_compatibility:
    'Su proveedor de identidad ha enviado una dirección de correo electrónico con caracteres de compatibilidad, que parecen otros.',
  email_unverified:
    'Su proveedor de identidad indica que su dirección de correo electrónico no está verificada.',
  email_unproven:
    'Su proveedor de identidad no indica que su dirección de correo electrónico esté verificada.',
  external_id_missing: 'Su proveedor de identidad no ha enviado un identificador permanente de usted.',

  issuer_not_listed: 'No puede iniciar sesión aquí con este proveedor de identidad.',
  groups_unknown: 'Su proveedor de identidad no ha indicado a qué grupos pertenece usted.',
  groups_ambiguous:
    'Su proveedor de identidad ha enviado sus grupos en un formato que no se puede leer. Póngase en contacto con los responsables de este servicio.',
  email_domains:
    'Su dirección de correo electrónico no pertenece a ninguna organización que pueda iniciar sesión aquí.',
  scopes: 'Su organización no ha confirmado que usted pueda iniciar sesión aquí.',
  any_group: 'Usted no pertenece a ninguno de los grupos que pueden iniciar sesión aquí.',
  no_group: 'Usted pertenece a un grupo que no puede iniciar sesión aquí.',
  claim: 'Su cuenta no tiene lo necesario para iniciar sesión aquí.',
  assurance:
    'Su autenticación es demasiado antigua o no es lo bastante segura para iniciar sesión aquí. Por favor, autentíquese de nuevo.',
  assurance_unknown: 'Su proveedor de identidad no ha indicado cómo o cuándo se autenticó usted.',
  claim_unknown: 'Su proveedor de identidad no ha indicado si su cuenta puede iniciar sesión aquí.',

  not_set_up:
    'El inicio de sesión en este servicio no está bien configurado. Póngase en contacto con sus responsables.',
  not_confirmed: 'No se ha podido confirmar su inicio de sesión. Por favor, inicie sesión de nuevo.',
  not_checked: 'No se ha podido comprobar su inicio de sesión. Inténtelo de nuevo más tarde.',
  look_up_failed:
    'No se ha podido iniciar sesión porque otro sistema no ha respondido como se esperaba. Inténtelo de nuevo más tarde.',
  timed_out: 'El inicio de sesión ha tardado demasiado. Inténtelo de nuevo.',

  not_signed: 'La solicitud no está firmada por un servicio que pueda enviar inicios de sesión aquí.',
  body_too_large: 'El cuerpo de la solicitud es demasiado grande: se esperan {maxBytes} bytes como máximo.',
  content_type_not_json: 'El tipo de contenido de la solicitud no es JSON: se espera application/json.',
  body_missing: 'La solicitud no tiene cuerpo: se espera un evento de inicio de sesión en JSON.',
  body_not_json: 'El cuerpo de la solicitud no es JSON: se espera un evento de inicio de sesión en JSON.',
  event_invalid: 'El evento de inicio de sesión no es válido. {problems}.',

  reference: '(Referencia: {requestId})',
};
