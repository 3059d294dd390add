/** The response of a handler: exactly one of three models, told apart by `type`. */
import * as v from 'valibot';
import { WORDS, type Words } from '../messages/en.ts';
import { atMost, fields, isJsonObject, list, MAX_TEXT, string, stringOrNull, uuid } from '../schema.ts';
import type { RequiredField } from '../settings.ts';
import { shortened, unicodePattern } from '../text.ts';
import { email } from './schema/emailAddress.ts';

/** An absolute http(s) URL without user information, or an image written into its own URL (RFC 2397). */
const imageUrlForm = unicodePattern(
  String.raw`^(?:https?:\/\/[^\s\p{C}/?#@"<>\\^\x60{|}]+(?:[/?#][^\s\p{C}"<>\\^\x60{|}]*)?|data:image\/(?:png|jpeg|gif|webp)[;,][^\s\p{C}"<>\\^\x60{|}]*)$`,
  'iu',
);

/** In characters. */
const MAX_IMAGE_URL = 100_000;

const message = v.pipe(string, atMost(MAX_TEXT));

/** Names are decoration: characters that cannot be shown are taken out, and no login fails because of them. */
const name = v.pipe(string, v.transform(shortened));
const nameOrNull = v.pipe(
  stringOrNull,
  v.transform((name) => name && shortened(name)),
);
const imageUrl = v.pipe(
  stringOrNull,
  v.transform((url) => (url !== null && isImageUrl(url) ? url : null)),
);

/** Everybody with an empty identifier would be the same person. */
const identifier = v.pipe(
  string,
  v.trim(),
  v.nonEmpty('expected a string that is not empty'),
  atMost(MAX_TEXT),
);

/** To the compiler a handler must write a field that is not required, as null; at run time it may leave the field out. */
function unlessRequired(schema: v.GenericSchema<string>): v.GenericSchema<string | null> {
  return v.nullish(schema, null) as v.GenericSchema<string | null>;
}

/** @param required the fields that are not null */
export function authorizedUserResponse(required: readonly RequiredField[]) {
  const part = (field: RequiredField, schema: v.GenericSchema<string>) =>
    required.includes(field) ? schema : unlessRequired(schema);
  return fields({
    type: v.literal('AuthorizedUserResponse'),
    first_name: part('first_name', name),
    last_name: part('last_name', name),
    email: part('email', email),
    image_url: v.optional(imageUrl, null),
    affiliation: v.optional(nameOrNull, null),
    user_group_uuids: v.optional(list(uuid), () => []),
    /** Only newer receivers know it: it is sent only where a handler or mapping gives it. */
    external_id: v.exactOptional(identifier),
    external_label: v.exactOptional(nameOrNull),
  });
}

type AuthorizedUserSchema = ReturnType<typeof authorizedUserResponse>;

export const ForbiddenResponse = fields({
  type: v.literal('ForbiddenResponse'),
  message: v.optional(message, WORDS.forbidden),
});

export const ErrorResponse = fields({
  type: v.literal('ErrorResponse'),
  message: v.optional(message, WORDS.not_completed),
});

const ONE_OF_THREE = 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse';

/** @param required the fields that are not null in an authorized response */
export function responseSchema(required: readonly RequiredField[]) {
  return v.pipe(
    v.custom<
      | v.InferInput<AuthorizedUserSchema>
      | v.InferInput<typeof ForbiddenResponse>
      | v.InferInput<typeof ErrorResponse>
    >(isJsonObject, ONE_OF_THREE),
    v.variant('type', [authorizedUserResponse(required), ForbiddenResponse, ErrorResponse], ONE_OF_THREE),
  );
}

export type ResponseSchema = ReturnType<typeof responseSchema>;

export type AuthorizedUserResponse = v.InferOutput<AuthorizedUserSchema>;
export type ForbiddenResponse = v.InferOutput<typeof ForbiddenResponse>;
export type ErrorResponse = v.InferOutput<typeof ErrorResponse>;
export type UserLoginResponse = v.InferOutput<ResponseSchema>;

/** A response as a handler may write it: fields with a default may be left out. */
export type UserLoginAnswer = v.InferInput<ResponseSchema>;

/**
 * Answers that the person may log in, as this user.
 *
 * @param profile `first_name`, `last_name`, `email`, null only where `REQUIRED_FIELDS` leaves them out; where they are known `image_url`, `affiliation` (default: null) and
 *   `user_group_uuids` (default: none); for receivers that know them `external_id`, a permanent identifier of the person at the
 *   provider, and `external_label`. Checked when the answer leaves, not here.
 */
export function authorizedUser(
  profile: Omit<v.InferInput<AuthorizedUserSchema>, 'type'>,
): AuthorizedUserResponse {
  return {
    type: 'AuthorizedUserResponse',
    ...profile,
    image_url: profile.image_url ?? null,
    affiliation: profile.affiliation ?? null,
    user_group_uuids: [...(profile.user_group_uuids ?? [])],
  };
}

/** Answers that the person is known but may not log in. The person sees the message. */
export function forbidden(message: string = WORDS.forbidden): ForbiddenResponse {
  return { type: 'ForbiddenResponse', message };
}

/** Answers that the login failed, for a reason the person may be told. The person sees the message. */
export function error(message: string = WORDS.not_completed): ErrorResponse {
  return { type: 'ErrorResponse', message };
}

/** Ours, where this is the message of a refusal that its handler gave no message; null for any other. */
export function defaultWords(message: string): keyof Words | null {
  return (['forbidden', 'not_completed'] as const).find((words) => WORDS[words] === message) ?? null;
}

/** Whether a page can show this image without running anything or sending credentials. */
function isImageUrl(url: string): boolean {
  return url.length <= MAX_IMAGE_URL && imageUrlForm().test(url) && URL.canParse(url);
}
