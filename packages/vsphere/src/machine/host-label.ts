import { type Machine, machines } from '@slipway/cluster-api';
import { checkLabelValue, type Frozen } from '@slipway/kube';
import { edit, type ReconcileContext, ReconcileError } from '@slipway/runtime';
import { vsphereLabels } from '../api/index.js';

const labelLengthMax = 63;

/**
 * Converts the name of an ESXi host to a label value: removes the zone of an IPv6 address, replaces its colons, and truncates
 * long names at a dot.
 */
export function hostLabelValue(host: string): string {
  const bare = host.split('%', 1)[0] ?? '';
  const name = bare.includes(':') ? `${bare.replaceAll(':', '-')}.ipv6-literal` : bare;
  const value = shorten(name);
  const [problem] = checkLabelValue(value);
  if (problem === undefined) return value;
  throw new ReconcileError(
    'InvalidHostName',
    `host name ${JSON.stringify(host)} is not a valid label value: ${problem}`,
    {
      retry: 'onChange',
    },
  );
}

function shorten(name: string): string {
  let parts = name.split('.');
  while (parts.length > 1 && parts.join('.').length > labelLengthMax) parts = parts.slice(0, -1);
  return parts.join('.').slice(0, labelLengthMax);
}

/** Labels the Machine with its ESXi host; Cluster API copies the label to the Node. */
export async function labelWithHost(context: ReconcileContext, machine: Frozen<Machine>, host: string): Promise<void> {
  const value = hostLabelValue(host);
  const after = edit(machine, (draft) => {
    draft.metadata.labels = { ...draft.metadata.labels, [vsphereLabels.esxiHost]: value };
  });
  await context.change({
    verb: 'patch',
    resource: machines,
    before: machine,
    after,
    reason: 'HostChanged',
    message: `The VM runs on ESXi host ${host}`,
  });
}
