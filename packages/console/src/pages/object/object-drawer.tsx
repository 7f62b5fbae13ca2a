import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Ref } from '../../model/cluster.js';
import { diffLines } from '../../model/line-diff.js';
import type { ObjectView, VersionView } from '../../model/object.js';
import { useFeed } from '../connection/use-feed.js';
import { clockTime } from '../parts/text.js';
import { setQuery } from '../shell/router.js';
import { WhyPanel } from '../why/why-panel.js';

interface ObjectDrawerProps {
  readonly of: Ref;
  /** The name of the cluster that the object belongs to. */
  readonly cluster: string;
}

/** A panel beside the page that shows one object. */
export function ObjectDrawer({ of, cluster }: ObjectDrawerProps): JSX.Element {
  const query = new URLSearchParams({ view: 'object', ...of, cluster });
  const { view, gone, lost } = useFeed<ObjectView>(query.toString());
  const box = useRef<HTMLElement>(null);
  const close = (): void => setQuery({ object: '' });
  useEffect(() => {
    box.current?.focus();
  }, [of.kind, of.name]);
  return (
    <aside
      class="drawer"
      ref={box}
      tabIndex={-1}
      aria-label={`${of.kind} ${of.name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <header>
        <div>
          <small>{of.kind}</small>
          <h2>{of.name}</h2>
        </div>
        <button type="button" class="quiet" onClick={close} aria-label="Close">
          ✕
        </button>
      </header>
      {gone !== '' && <p class="empty">{gone}</p>}
      {view === undefined && gone === '' && <p class="empty">{lost === '' ? 'Loading…' : lost}</p>}
      {view !== undefined && <ObjectBody view={view} />}
    </aside>
  );
}

function ObjectBody({ view }: { readonly view: ObjectView }): JSX.Element {
  const versions = Object.values(view.versions).toSorted(
    (left, right) => Number(left.resourceVersion) - Number(right.resourceVersion),
  );
  return (
    <div class="drawer-body">
      {view.why !== undefined && <WhyPanel why={view.why} />}
      <h3>YAML</h3>
      <pre class="yaml" tabIndex={0}>
        {view.yaml}
      </pre>
      <details>
        <summary>Managed fields</summary>
        <pre class="yaml">{view.managedFields}</pre>
      </details>
      {versions.length > 1 && <Versions versions={versions} />}
    </div>
  );
}

function Versions({ versions }: { readonly versions: readonly VersionView[] }): JSX.Element {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const newest = versions.at(-1);
  const find = (wanted: string, otherwise: VersionView | undefined): VersionView | undefined =>
    versions.find(({ resourceVersion }) => resourceVersion === wanted) ?? otherwise;
  const [left, right] = [find(from, versions.at(-2)), find(to, newest)];
  const lines = left === undefined || right === undefined ? [] : diffLines(left.yaml, right.yaml);
  return (
    <section aria-label="Differences between versions">
      <h3>Changes</h3>
      <div class="versions">
        <VersionSelect label="From" versions={versions} value={left?.resourceVersion ?? ''} onChange={setFrom} />
        <VersionSelect label="To" versions={versions} value={right?.resourceVersion ?? ''} onChange={setTo} />
      </div>
      <pre class="yaml diff" tabIndex={0}>
        {lines
          .map((line, index) => ({ ...line, index }))
          .filter(
            ({ kind, index }) =>
              kind !== 'same' || lines.slice(Math.max(0, index - 2), index + 3).some((one) => one.kind !== 'same'),
          )
          .map(({ kind, text, index }) => (
            <span key={index} class={kind}>
              {`${{ same: '  ', added: '+ ', removed: '- ' }[kind]}${text}\n`}
            </span>
          ))}
      </pre>
    </section>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly versions: readonly VersionView[];
  readonly value: string;
  readonly onChange: (resourceVersion: string) => void;
}

function VersionSelect({ label, versions, value, onChange }: VersionSelectProps): JSX.Element {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {versions.toReversed().map(({ resourceVersion, at, manager }) => (
          <option key={resourceVersion} value={resourceVersion}>
            {resourceVersion} · {clockTime(at)} {manager}
          </option>
        ))}
      </select>
    </label>
  );
}
