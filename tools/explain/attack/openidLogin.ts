/** An OpenID event that is attacked: changes of its claims. */
import { OWN_CLAIMS } from '../../../lib/openid/claims.ts';
import { isJsonObject } from '../../../lib/schema.ts';
import { type AttackedLogin, isSame } from './login.ts';

type Claims = Readonly<Record<string, unknown>>;
interface IdToken {
  iss: string;
  otherClaims?: Claims;
}

/** The event has fields for them, which no login lacks. */
const IS_OWN = new Set<string>(OWN_CLAIMS);

export class AttackedOpenIdLogin implements AttackedLogin {
  readonly kind = 'OpenID';
  readonly event: { idToken: IdToken };

  /** @param event one that the function accepts */
  constructor(event: { idToken: IdToken }) {
    this.event = event;
  }

  get issuer(): string {
    return this.event.idToken.iss;
  }

  get claims(): Claims {
    return this.event.idToken.otherClaims ?? {};
  }

  /** Some services repeat the issuer among the claims. */
  withIssuer(iss: string): AttackedOpenIdLogin {
    const otherClaims = 'iss' in this.claims ? { ...this.claims, iss } : this.claims;
    return new AttackedOpenIdLogin({ ...this.event, idToken: { ...this.event.idToken, iss, otherClaims } });
  }

  textsOf(names: readonly string[]): string[] {
    const values = names.map((name) => valueAt(this.claims, name));
    return values.flat().filter((value) => typeof value === 'string');
  }

  withTexts(names: readonly string[], texts: readonly unknown[]): AttackedOpenIdLogin {
    const name = names.find((one) => valueAt(this.claims, one) !== undefined) ?? names[0];
    return name === undefined ? this : this.withClaim(name, texts);
  }

  without(names: readonly string[]): AttackedOpenIdLogin {
    const absent = names.filter((name) => !IS_OWN.has(name));
    return this.#with(absent.reduce((claims, name) => placed(claims, name, undefined), this.claims));
  }

  replacing(text: string, others: readonly string[]): AttackedOpenIdLogin {
    const [only] = others;
    const inPlace = others.length === 1 ? only : others;
    const replaced = (value: unknown): unknown => {
      if (isSame(value, text)) return inPlace;
      if (Array.isArray(value)) return value.flatMap(replaced);
      return isJsonObject(value) ? mapped(value, replaced) : value;
    };
    return this.#with(mapped(this.claims, replaced));
  }

  authenticatedAt(moment: number): AttackedOpenIdLogin {
    return this.withClaim('auth_time', Math.floor(moment / 1_000));
  }

  withClaim(name: string, value: unknown): AttackedOpenIdLogin {
    if (!IS_OWN.has(name)) return this.#with(placed(this.claims, name, value));
    const own = name === 'aud' ? [value].flat() : [value].flat()[0];
    return new AttackedOpenIdLogin({ ...this.event, idToken: { ...this.event.idToken, [name]: own } });
  }

  #with(otherClaims: Claims): AttackedOpenIdLogin {
    return new AttackedOpenIdLogin({ ...this.event, idToken: { ...this.event.idToken, otherClaims } });
  }
}

function mapped(claims: Claims, change: (value: unknown) => unknown): Claims {
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, change(value)]));
}

/** A claim of this name, or one inside others: `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const parent = parentOf(claims, name);
  return parent && valueAt(parent.claims, parent.rest);
}

/** @param value undefined for none */
function placed(claims: Claims, name: string, value: unknown): Claims {
  const parent = Object.hasOwn(claims, name) ? undefined : parentOf(claims, name);
  if (parent) return { ...claims, [parent.name]: placed(parent.claims, parent.rest, value) };
  const { [name]: _, ...others } = claims;
  return value === undefined ? others : { ...others, [name]: value };
}

function parentOf(claims: Claims, name: string): { name: string; claims: Claims; rest: string } | undefined {
  const found = Object.entries(claims).find(
    ([claim, value]) => name.startsWith(`${claim}.`) && isJsonObject(value),
  );
  if (!found || !isJsonObject(found[1])) return undefined;
  return { name: found[0], claims: found[1], rest: name.slice(found[0].length + 1) };
}
