/** The part of samlp that the tests use; it comes without types. */
declare module 'samlp' {
  export interface AuthOptions {
    issuer: string;
    key: string;
    cert: string;
    recipient: string;
    destination: string;
    /** Left out: the service that asked. */
    audience?: string | string[];
    lifetimeInSeconds?: number;
    sessionIndex: string;
    signAssertion: boolean;
    signResponse?: boolean;
    /** Of the service, in PEM: with it, the assertion is encrypted. */
    encryptionCert?: string;
    encryptionPublicKey?: string;
    encryptionAlgorithm?: string;
    disallowEncryptionWithInsecureAlgorithm?: boolean;
    warnOnInsecureEncryptionAlgorithm?: boolean;
    /** Left out: the request's. */
    inResponseTo?: string;
    profileMapper?(user: unknown): {
      getClaims(): Record<string, string | string[]>;
      getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat: string };
    };
    getUserFromRequest(): unknown;
    getPostURL(audience: string, request: unknown, req: unknown, done: (e: null, url: string) => void): void;
    responseHandler(response: Buffer): void;
  }

  interface Request {
    method: 'GET';
    query: Record<string, string>;
  }

  interface ErrorOptions {
    issuer: string;
    destination: string;
    inResponseTo: string;
    error: { code: string; description?: string };
    getPostURL(request: Request, done: (e: null, url: string) => void): void;
  }

  const samlp: {
    auth(options: AuthOptions): (req: Request, res: object, next: (error: Error) => void) => void;
    sendError(
      options: ErrorOptions,
    ): (req: Request, res: { set(): void; send(page: string): void }, next: (error: Error) => void) => void;
    /** What it sends, it sends at once. */
    metadata(options: {
      issuer: string;
      cert: string;
    }): (
      req: { headers: Record<string, string>; originalUrl: string; protocol: string },
      res: { set(): void; send(xml: string): void },
    ) => void;
    parseRequest(req: Request, done: (error: Error | null, request: { id: string }) => void): void;
  };
  export default samlp;
}
