import type { JSX } from 'preact';
import type { InfrastructureView, KindView, SectionName } from '../../model/infrastructure.js';
import { useFeed } from '../connection/use-feed.js';
import { Mark } from '../parts/state-mark.js';
import { Providers } from './providers.js';
import { Drivers, KvmHosts, VCenters } from './platforms.js';

const sections: readonly { readonly key: SectionName; readonly name: string; readonly none: string }[] = [
  { key: 'drivers', name: 'vSphere drivers', none: 'This management cluster does not manage vSphere drivers.' },
  { key: 'clusters', name: 'Infrastructure clusters', none: '' },
  { key: 'machines', name: 'Infrastructure machines', none: '' },
  { key: 'other', name: 'Other', none: '' },
];

export function InfrastructurePage(): JSX.Element {
  const { view, lost } = useFeed<InfrastructureView>('view=infrastructure');
  return (
    <main id="main" class="infrastructure-page">
      <h1>Infrastructure</h1>
      {view === undefined ? (
        <p class="empty">{lost === '' ? 'Loading…' : lost}</p>
      ) : (
        <>
          <Unreadable kinds={Object.values(view.unreadable)} />
          <VCenters vcenters={Object.values(view.vcenters)} />
          <KvmHosts hosts={Object.values(view.kvmHosts)} />
          <Drivers drivers={Object.values(view.drivers)} />
          <Providers providers={Object.entries(view.providers)} />
          {sections.map(({ key, name, none }) => (
            <Section key={key} name={name} none={none} kinds={Object.values(view.sections[key] ?? {})} />
          ))}
        </>
      )}
    </main>
  );
}

/** Shows the kinds that the user may not list. Without it, a user without permissions would see an empty infrastructure. */
function Unreadable({
  kinds,
}: {
  readonly kinds: readonly { readonly kind: string; readonly why: string }[];
}): JSX.Element | null {
  if (kinds.length === 0) return null;
  return (
    <section aria-label="Not shown" class="unreadable">
      <p>
        Not shown, because they cannot be read: <strong>{kinds.map(({ kind }) => kind).join(', ')}</strong>.
      </p>
      <details>
        <summary>Errors of the management cluster</summary>
        <ul>
          {kinds.map(({ kind, why }) => (
            <li key={kind}>{why}</li>
          ))}
        </ul>
      </details>
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
          {rows.map(([key, { ref, tone, why, cells }]) => (
            <tr key={key}>
              <td>
                <span class="state">
                  <Mark tone={tone} />
                  <span>
                    {ref.name} <small class="soft">{ref.namespace}</small>
                    {why !== '' && <span class="row-why">{why}</span>}
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
