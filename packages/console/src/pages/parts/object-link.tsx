import type { JSX } from 'preact';
import { type Ref, refKey } from '../../model/cluster.js';
import { Link } from '../shell/router.js';

/** Returns the path that opens the object in a panel beside the current page. */
export function objectPath(ref: Ref): string {
  const query = new URLSearchParams(window.location.search);
  query.set('object', refKey(ref));
  return `${window.location.pathname}?${query.toString()}`;
}

export function ObjectLink({ of, short = false }: { readonly of: Ref; readonly short?: boolean }): JSX.Element {
  return (
    <Link to={objectPath(of)} class="object-link" title={`${of.kind} ${of.namespace}/${of.name}`}>
      {!short && <span class="kind">{of.kind}</span>} {of.name}
    </Link>
  );
}
