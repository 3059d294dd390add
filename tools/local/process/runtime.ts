/** What gives a function's process its events, one at a time, and takes its answers. */
import type { Asked, Local } from './exchanges.ts';

/** Thrown when the process ended, threw or hung instead of answering. */
export class FunctionFailed extends Error {
  readonly kind: 'crash' | 'error' | 'time-out';
  constructor(kind: FunctionFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Invocation {
  requestId: string;
  event: unknown;
  local: Local;
  /** Called when the process takes the event. */
  onTaken: () => void;
  /** Called when the process begins to wait for another system. */
  onAsking: () => void;
}

export interface Runtime {
  /** Resolves when the process takes its first event. */
  readonly ready: Promise<void>;
  /** What the process asked other systems for since the last invocation began. */
  readonly asked: Asked;
  /** @throws {FunctionFailed} */
  invoke(invocation: Invocation): Promise<unknown>;
  /** Whether it was told to fail. */
  readonly hasFailed: boolean;
  /** Fails what runs and what comes later. */
  fail(failure: FunctionFailed): void;
  close(): void;
}
