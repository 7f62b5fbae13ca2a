import type { ComponentChildren, JSX } from 'preact';
import type { DriverView, KvmHostView, VCenterView } from '../../model/infrastructure.js';
import { useNow } from '../clock/use-now.js';
import { Mark, type Tone } from '../parts/state-mark.js';
import { span } from '../parts/text.js';

interface PlatformTableProps {
  readonly title: string;
  /** Content between the title and the table. */
  readonly head?: ComponentChildren;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

export function PlatformTable({ title, head, columns, children }: PlatformTableProps): JSX.Element {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {head}
      <div class="table-box" tabIndex={0} role="group" aria-label={`${title}; scrolls`}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}

interface NameProps {
  /** The reported state. Absent if none is reported. */
  readonly tone?: Tone | undefined;
  readonly children: ComponentChildren;
}

export function Name({ tone, children }: NameProps): JSX.Element {
  return (
    <td>
      <span class="state">
        {tone !== undefined && <Mark tone={tone} />}
        <span>{children}</span>
      </span>
    </td>
  );
}

export function VCenters({ vcenters }: { readonly vcenters: readonly VCenterView[] }): JSX.Element | null {
  const now = useNow(60_000);
  if (vcenters.length === 0) return null;
  return (
    <PlatformTable
      title="vCenters"
      columns={['Server', 'vSphere', 'Clusters', 'Machines', 'Unhealthy', 'Sessions', 'Running tasks']}
    >
      {vcenters.map(({ server, version, clusters, machines, tasks, unhealthy, sessions }) => (
        <tr key={server}>
          <Name tone={unhealthy > 0 ? 'bad' : 'good'}>{server}</Name>
          <td>{version === '' ? '–' : version}</td>
          <td>{clusters}</td>
          <td>{machines}</td>
          <td>{unhealthy}</td>
          <td>
            {sessions === undefined
              ? 'not available in this console'
              : sessions.length === 0
                ? 'none'
                : sessions.map(({ username, isLoggedIn, usedAt }) => (
                    <div key={username}>
                      {username}{' '}
                      <small class="soft">
                        {isLoggedIn ? `used ${span(Math.max(60_000, now - usedAt))} ago` : 'not logged in'}
                      </small>
                    </div>
                  ))}
          </td>
          <td>
            {tasks.map(({ machine, task }) => (
              <div key={machine}>
                {machine} <small class="soft">{task}</small>
              </div>
            ))}
          </td>
        </tr>
      ))}
    </PlatformTable>
  );
}

export function KvmHosts({ hosts }: { readonly hosts: readonly KvmHostView[] }): JSX.Element | null {
  if (hosts.length === 0) return null;
  return (
    <PlatformTable title="KVM hosts" columns={['Host', 'Machines', 'Running', 'Unhealthy', 'CPUs', 'Memory', 'QEMU']}>
      {hosts.map(({ host, machines, running, unhealthy, cpus, memoryMiB, qemu }) => (
        <tr key={host}>
          <Name tone={unhealthy > 0 ? 'bad' : 'good'}>{host}</Name>
          <td>{machines}</td>
          <td>{running}</td>
          <td>{unhealthy}</td>
          <td>{cpus}</td>
          <td>{memoryMiB} MiB</td>
          <td>{qemu.join(', ')}</td>
        </tr>
      ))}
    </PlatformTable>
  );
}

export function Drivers({ drivers }: { readonly drivers: readonly DriverView[] }): JSX.Element | null {
  if (drivers.length === 0) return null;
  return (
    <PlatformTable
      title="vSphere drivers and their versions"
      columns={['Driver', 'Configuration', 'Health', 'Version', 'Reason']}
    >
      {drivers.map(({ ref, driver, tone, health, installed, path, message }) => (
        <tr key={`${ref.namespace}/${ref.name} ${driver}`}>
          <Name tone={tone}>{driver}</Name>
          <td>
            {ref.name} <small class="soft">{ref.namespace}</small>
          </td>
          <td>{health}</td>
          <td>{path.length > 1 || installed !== '' ? path.join(' → ') : `none → ${path.join(' → ')}`}</td>
          <td>{tone === 'good' ? '' : message}</td>
        </tr>
      ))}
    </PlatformTable>
  );
}
