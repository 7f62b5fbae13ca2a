import { useEffect, useState } from 'preact/hooks';

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const listener = (): void => setMatches(list.matches);
    list.addEventListener('change', listener);
    listener();
    return () => list.removeEventListener('change', listener);
  }, [query]);
  return matches;
}
