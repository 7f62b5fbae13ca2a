import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const base = '/console';
const listeners = new Set<() => void>();

export interface Location {
  /** Decoded path segments without the base, for example `['clusters', 'default', 'demo']`. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
  /** Changes on every navigation, but not when only the query is replaced. */
  readonly visit: number;
}

let visits = 0;

function currentLocation(): Location {
  const path = window.location.pathname.slice(base.length);
  const steps = path.split('/').filter((step) => step !== '');
  return { steps: steps.map(decodeURIComponent), query: new URLSearchParams(window.location.search), visit: visits };
}

window.addEventListener('popstate', () => {
  visits += 1;
  for (const listener of listeners) listener();
});

export function useLocation(): Location {
  const [location, setLocation] = useState(currentLocation);
  useEffect(() => {
    const listener = (): void => setLocation(currentLocation());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return location;
}

/** Returns a path such as `/clusters/default/demo`. Segments are encoded. */
export function pathTo(...steps: readonly string[]): string {
  return `${base}/${steps.map(encodeURIComponent).join('/')}`;
}

export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    visits += 1;
    window.history.pushState(null, '', path);
  } else window.history.replaceState(null, '', path);
  for (const listener of listeners) listener();
  if (how === 'push') window.scrollTo(0, 0);
}

/** Writes the user's choices to the URL, so that they can be shared and survive a reload. */
export function setQuery(values: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(`${window.location.pathname}${text === '' ? '' : `?${text}`}`, 'replace');
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  /** The accessible name of a link without text. */
  readonly label?: string;
  readonly tabIndex?: number;
  readonly 'aria-current'?: 'page' | undefined;
  /** Called when the link is mounted. */
  readonly onMounted?: (link: HTMLAnchorElement) => void;
  readonly children: ComponentChildren;
}

export function Link({ to, children, label, onMounted, ...others }: LinkProps): JSX.Element {
  return (
    <a
      {...others}
      href={to}
      aria-label={label}
      ref={(link) => {
        if (link !== null) onMounted?.(link);
      }}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
