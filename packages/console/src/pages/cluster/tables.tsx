import type { JSX } from 'preact';
import type { CertificateView, ClusterView, EventView, MachineView } from '../../model/cluster.js';
import { useNow } from '../clock/use-now.js';
import { Mark, type Tone } from '../parts/state-mark.js';
import { ObjectLink } from '../parts/object-link.js';
import { span } from '../parts/text.js';

export function Machines({ view, namespace }: { readonly view: ClusterView; readonly namespace: string }): JSX.Element {
  const now = useNow(10_000);
  const machines = Object.values(view.machines).toSorted(
    (left, right) => Number(right.isControlPlane) - Number(left.isControlPlane) || (left.name < right.name ? -1 : 1),
  );
  if (machines.length === 0) return <p class="empty">The cluster has no Machines.</p>;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Machines (scrollable)">
      <table>
        <thead>
          <tr>
            <th scope="col">Machine</th>
            <th scope="col">Belongs to</th>
            <th scope="col">Phase</th>
            <th scope="col">Version</th>
            <th scope="col">Node</th>
            <th scope="col">Addresses</th>
            <th scope="col">Failure domain</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => (
            <MachineRow key={machine.name} machine={machine} namespace={namespace} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MachineRow({
  machine,
  namespace,
  now,
}: {
  readonly machine: MachineView;
  readonly namespace: string;
  readonly now: number;
}): JSX.Element {
  const { name, owner, isControlPlane, version, phase, tone, node, addresses, failureDomain, createdAt } = machine;
  return (
    <tr>
      <td>
        <ObjectLink of={{ group: 'cluster.x-k8s.io', kind: 'Machine', namespace, name }} short />
      </td>
      <td>
        {owner}
        {isControlPlane && <em class="tag">control plane</em>}
      </td>
      <td>
        <span class={`state ${tone}`}>
          <Mark tone={tone} />
          {phase}
        </span>
      </td>
      <td>{version}</td>
      <td>{node === '' ? <span class="soft">none yet</span> : node}</td>
      <td class="mono">{addresses.join(', ')}</td>
      <td>{failureDomain}</td>
      <td class="number">{span(Math.max(0, now - createdAt))}</td>
    </tr>
  );
}

const warnMs = 30 * 86_400_000;

export function Certificates({ certificates }: { readonly certificates: ClusterView['certificates'] }): JSX.Element {
  const now = useNow(60_000);
  const all = Object.values(certificates).toSorted((left, right) => left.endsAt - right.endsAt);
  if (all.length === 0) return <p class="empty">The cluster has no certificates yet.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Certificate</th>
          <th scope="col">Type</th>
          <th scope="col">Expires in</th>
          <th scope="col">Expires on</th>
        </tr>
      </thead>
      <tbody>
        {all.map((certificate) => (
          <CertificateRow key={certificate.name} certificate={certificate} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function CertificateRow({
  certificate,
  now,
}: {
  readonly certificate: CertificateView;
  readonly now: number;
}): JSX.Element {
  const { name, what, endsAt, note } = certificate;
  const leftMs = endsAt - now;
  const tone: Tone = note !== '' ? 'off' : leftMs <= 0 ? 'bad' : leftMs < warnMs ? 'wait' : 'good';
  return (
    <tr>
      <td>{name}</td>
      <td>{what}</td>
      <td>
        <span class={`state ${tone}`}>
          <Mark tone={tone} />
          {note !== '' ? note : leftMs <= 0 ? 'Expired' : span(leftMs)}
        </span>
      </td>
      <td>{note === '' && new Date(endsAt).toISOString().slice(0, 10)}</td>
    </tr>
  );
}

export function Events({ events }: { readonly events: ClusterView['events'] }): JSX.Element {
  const now = useNow(10_000);
  const all = Object.entries(events).toSorted(([, left], [, right]) => right.at - left.at);
  if (all.length === 0) return <p class="empty">No events.</p>;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Events (scrollable)">
      <table>
        <thead>
          <tr>
            <th scope="col">Ago</th>
            <th scope="col">Object</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {all.map(([key, event]) => (
            <EventRow key={key} event={event} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ event, now }: { readonly event: EventView; readonly now: number }): JSX.Element {
  const isWarning = event.type === 'Warning';
  return (
    <tr class={isWarning ? 'warning' : ''}>
      <td class="number">{span(Math.max(0, now - event.at))}</td>
      <td>
        <ObjectLink of={event.about} />
      </td>
      <td class={isWarning ? 'wait' : ''}>
        {event.reason}
        {event.count > 1 && <em class="tag">{event.count}×</em>}
      </td>
      <td class="message">{event.message}</td>
    </tr>
  );
}

/** The changes made by controllers, with their reasons. */
export function Changes({ changes }: { readonly changes: NonNullable<ClusterView['changes']> }): JSX.Element {
  const now = useNow(10_000);
  const all = Object.entries(changes).toSorted(([, left], [, right]) => right.at - left.at);
  if (all.length === 0) return <p class="empty">No changes since the management cluster started.</p>;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Changes (scrollable)">
      <table>
        <thead>
          <tr>
            <th scope="col">Ago</th>
            <th scope="col">Controller</th>
            <th scope="col">Object</th>
            <th scope="col">Change</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {all.map(([key, { about, at, controller, action, reason, message, failed }]) => (
            <tr key={key} class={failed ? 'warning' : ''}>
              <td class="number">{span(Math.max(0, now - at))}</td>
              <td>{controller}</td>
              <td>
                <ObjectLink of={about} />
              </td>
              <td class={failed ? 'wait' : ''}>{failed ? `${action} (failed)` : action}</td>
              <td>{reason}</td>
              <td class="message">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
