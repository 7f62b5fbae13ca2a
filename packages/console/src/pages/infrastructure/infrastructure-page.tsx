import type { JSX } from 'preact';
import type { InfrastructureView, KindView, SectionName, VCenterView } from '../../model/infrastructure.js';
import { useFeed } from '../connection/use-feed.js';
import { Mark } from '../parts/state-mark.js';

const sections: readonly { readonly key: SectionName; readonly name: string; readonly none: string }[] = [
  { key: 'providers', name: 'Providers', none: 'No provider is in the inventory.' },
  { key: 'drivers', name: 'vSphere drivers', none: 'No driver is managed here.' },
  { key: 'clusters', name: 'Clusters of providers', none: '' },
  { key: 'machines', name: 'Machines of providers', none: '' },
  { key: 'other', name: 'Other', none: '' },
];

export function InfrastructurePage(): JSX.Element {
  const { view, lost } = useFeed<InfrastructureView>('view=infrastructure');
  return (
    <main id="main" class="infrastructure-page">
      <h1>Infrastructure</h1>
      {view === undefined ? (
        <p class="empty">{lost === '' ? 'Reading…' : lost}</p>
      ) : (
        <>
          <VCenters vcenters={Object.values(view.vcenters)} />
          {sections.map(({ key, name, none }) => (
            <Section key={key} name={name} none={none} kinds={Object.values(view.sections[key] ?? {})} />
          ))}
        </>
      )}
    </main>
  );
}

function VCenters({ vcenters }: { readonly vcenters: readonly VCenterView[] }): JSX.Element | null {
  if (vcenters.length === 0) return null;
  return (
    <section aria-labelledby="vcenters">
      <h2 id="vcenters">vCenters</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Clusters</th>
            <th scope="col">Machines</th>
            <th scope="col">Tasks under way</th>
          </tr>
        </thead>
        <tbody>
          {vcenters.map(({ server, clusters, machines, tasks, troubled }) => (
            <tr key={server}>
              <td>
                <span class="state">
                  <Mark tone={troubled > 0 ? 'bad' : 'good'} />
                  {server}
                </span>
              </td>
              <td>{clusters}</td>
              <td>{machines}</td>
              <td>{tasks.map(({ machine, task }) => `${machine} (${task})`).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SectionProps {
  readonly name: string;
  readonly none: string;
  readonly kinds: readonly KindView[];
}

function Section({ name, none, kinds }: SectionProps): JSX.Element | null {
  const shown = kinds.filter(({ count }) => count > 0);
  if (shown.length === 0 && none === '') return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {shown.length === 0 && <p class="soft">{none}</p>}
      {shown.map((kind) => (
        <KindTable key={`${kind.kind} ${kind.group}`} kind={kind} />
      ))}
    </section>
  );
}

function KindTable({ kind }: { readonly kind: KindView }): JSX.Element {
  const rows = Object.entries(kind.rows);
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={`${kind.kind}; scrolls`}>
      <table>
        <caption>
          {kind.kind} <b>{kind.count}</b>
          {rows.length < kind.count && ` (the first ${rows.length})`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {kind.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, { ref, tone, cells }]) => (
            <tr key={key}>
              <td>
                <span class="state">
                  <Mark tone={tone} />
                  <span>
                    {ref.name} <small class="soft">{ref.namespace}</small>
                  </span>
                </span>
              </td>
              {cells.map((cell, index) => (
                <td key={kind.columns[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
