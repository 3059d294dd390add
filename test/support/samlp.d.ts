/** The part of samlp that the tests use; it comes without types. */
declare module 'samlp' {
  export interface AuthOptions {
    issuer: string;
    key: string;
    cert: string;
    recipient: string;
    destination: string;
    /** Left out: whoever asked. */
    audience?: string | string[];
    lifetimeInSeconds?: number;
    sessionIndex: string;
    signAssertion: boolean;
    getUserFromRequest(): unknown;
    getPostURL(audience: string, request: unknown, req: unknown, done: (e: null, url: string) => void): void;
    responseHandler(response: Buffer): void;
  }

  interface Request {
    method: 'GET';
    query: Record<string, string>;
  }

  const samlp: {
    auth(options: AuthOptions): (req: Request, res: object, next: (error: Error) => void) => void;
  };
  export default samlp;
}
