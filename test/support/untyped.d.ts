/** The parts that the tests use of modules that come without types. */

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  const MemoryAdapter: import('oidc-provider').AdapterConstructor;
  export default MemoryAdapter;
}

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
    getUserFromRequest(): unknown;
    profileMapper?(): unknown;
    getPostURL(audience: string, request: unknown, req: unknown, done: (e: null, url: string) => void): void;
    responseHandler(response: Buffer): void;
  }

  type Answer<TResponse = object> = (req: object, res: TResponse, next: (error: Error) => void) => void;

  const samlp: {
    auth(options: AuthOptions): Answer;
    sendError(options: object): Answer<{ set(): void; send(page: string): void }>;
    parseRequest(req: object, done: (error: Error | null, request: { id: string }) => void): void;
  };
  export default samlp;
}
