import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FleetView } from '../../model/fleet.js';
import { arrange, countFilters, type FleetChoice } from '../../model/fleet-list.js';
import { useFeed } from '../connection/use-feed.js';
import { Link, pathTo, setQuery, useLocation } from '../shell/router.js';
import { choiceOf, chooseInAddress } from './choice-address.js';
import { FleetControls } from './fleet-controls.js';
import { FleetTable } from './fleet-table.js';

export function FleetPage(): JSX.Element {
  const { query, visit } = useLocation();
  const namespace = query.get('namespace') ?? '';
  const { view, lost } = useFeed<FleetView>(new URLSearchParams({ view: 'fleet', namespace }).toString());
  const [choice, setChoice] = useState<FleetChoice>(() => choiceOf(query));
  // Every navigation sets the choice from the URL, including the browser's back and forward buttons.
  useEffect(() => setChoice(choiceOf(query)), [visit]);
  const change = (part: Partial<FleetChoice>): void => {
    const next = { ...choice, ...part };
    setChoice(next);
    chooseInAddress(next);
  };
  const rows = useMemo(() => Object.values(view?.rows ?? {}), [view]);
  const counts = useMemo(() => countFilters(rows, choice.search), [rows, choice.search]);
  const items = useMemo(() => arrange(rows, choice), [rows, choice]);
  return (
    <main id="main" class="fleet">
      <h1 class="hidden">Fleet</h1>
      <FleetControls choice={choice} counts={counts} onChange={change} />
      <p class="hidden" role="status">
        {view !== undefined && `${counts[choice.filter]} of ${rows.length} clusters are shown`}
      </p>
      {namespace !== '' && (
        <p class="one-namespace">
          Only namespace <strong>{namespace}</strong> is shown.{' '}
          <button type="button" class="link" onClick={() => setQuery({ namespace: '' })}>
            Show all namespaces
          </button>
        </p>
      )}
      {view === undefined ? (
        <NoView lost={lost} />
      ) : rows.length === 0 ? (
        <NoClusters namespace={namespace} />
      ) : items.length === 0 ? (
        <p class="empty">
          No clusters match.{' '}
          <button type="button" class="link" onClick={() => change({ search: '', filter: 'all' })}>
            Show all {rows.length}
          </button>
        </p>
      ) : (
        <FleetTable items={items} choice={choice} isExplaining={view.isExplaining} onChange={change} />
      )}
    </main>
  );
}

function NoView({ lost }: { readonly lost: string }): JSX.Element {
  const [namespace, setNamespace] = useState('');
  if (!lost.includes('forbidden'))
    return (
      <p class="empty" aria-busy={lost === ''}>
        {lost === '' ? 'Loading the clusters…' : lost}
      </p>
    );
  return (
    <form
      class="empty"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ namespace });
      }}
    >
      <p>{lost}</p>
      <label>
        Show one namespace{' '}
        <input type="text" value={namespace} onInput={(event) => setNamespace(event.currentTarget.value)} />
      </label>{' '}
      <button type="submit">Show</button>
    </form>
  );
}

function NoClusters({ namespace }: { readonly namespace: string }): JSX.Element {
  const where = namespace === '' ? '' : ` --target-namespace ${namespace}`;
  return (
    <div class="empty">
      <p>{namespace === '' ? 'No clusters found.' : `No clusters found in namespace ${namespace}.`}</p>
      <p>
        Run <code>slipway create cluster demo{where}</code> to create one, or apply a manifest under{' '}
        <Link to={pathTo('plan')}>Plan</Link>.
      </p>
    </div>
  );
}
