import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const base = '/console';
const listeners = new Set<() => void>();

export interface Place {
  /** Decoded, without the base: `['clusters', 'default', 'demo']`. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
  /** Another number whenever one comes to a place, and the same while its query is only written along. */
  readonly visit: number;
}

let visits = 0;

function here(): Place {
  const path = window.location.pathname.slice(base.length);
  const steps = path.split('/').filter((step) => step !== '');
  return { steps: steps.map(decodeURIComponent), query: new URLSearchParams(window.location.search), visit: visits };
}

window.addEventListener('popstate', () => {
  visits += 1;
  for (const listener of listeners) listener();
});

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const listener = (): void => setPlace(here());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return place;
}

/** `/clusters/default/demo`; every step may hold anything. */
export function pathTo(...steps: readonly string[]): string {
  return `${base}/${steps.map(encodeURIComponent).join('/')}`;
}

export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    visits += 1;
    window.history.pushState(null, '', path);
  } else window.history.replaceState(null, '', path);
  for (const listener of listeners) listener();
  if (how === 'push') window.scrollTo(0, 0);
}

/** Keeps what a person chose in the address, so that it can be sent to others and survives a reload. */
export function setQuery(values: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(`${window.location.pathname}${text === '' ? '' : `?${text}`}`, 'replace');
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  /** What is said of a link that is only a picture. */
  readonly label?: string;
  readonly tabIndex?: number;
  readonly 'aria-current'?: 'page' | undefined;
  /** Called when the link is mounted. */
  readonly onPlaced?: (link: HTMLAnchorElement) => void;
  readonly children: ComponentChildren;
}

export function Link({ to, children, label, onPlaced, ...others }: LinkProps): JSX.Element {
  return (
    <a
      {...others}
      href={to}
      aria-label={label}
      ref={(link) => {
        if (link !== null) onPlaced?.(link);
      }}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
