import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionInfo } from '../connection/api.js';

export const SessionContext = createContext<SessionInfo>({ user: null });

export function useSession(): SessionInfo {
  return useContext(SessionContext);
}
