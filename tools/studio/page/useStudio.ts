/** What every part of the page may need. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LoginRow, Project } from '../api.ts';
import type { Request } from './connection/request.ts';

export interface Studio {
  request: Request;
  logins: readonly LoginRow[];
  /** How many logins are not in the list any more. */
  forgotten: number;
  project: Project;
  /** Counts changes: what was loaded before one is loaded again. */
  version: number;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error('expected a part of the page inside StudioContext');
  return studio;
}
