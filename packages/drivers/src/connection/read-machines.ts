import { type Data, Finder, keyOf, make, retrieve, retrieveAll, type VimSession } from '@slipway/vsphere';
import type { ConnectionTarget, MachineFacts } from './vcenters.js';

const paths = [
  'name',
  'config.uuid',
  'config.version',
  'config.flags',
  'guest.ipAddress',
  'guest.hostName',
  'guest.net',
  'guest.toolsRunningStatus',
  'runtime.host',
] as const;

/** Reads all VMs with one traversal per datacenter. One call per node would not scale. */
export async function readMachines(
  { soap }: VimSession,
  { datacenters }: ConnectionTarget,
  signal: AbortSignal,
): Promise<MachineFacts[]> {
  const { viewManager } = await soap.content({ signal });
  if (viewManager === undefined) return [];
  const machines: MachineFacts[] = [];
  for (const name of datacenters) {
    const container = await new Finder(soap, name, { signal }).datacenter();
    const view = await soap.call(
      'CreateContainerView',
      viewManager,
      { container, type: ['VirtualMachine'], recursive: true },
      { signal },
    );
    try {
      const traversal = make('TraversalSpec', { name: 'view', type: 'ContainerView', path: 'view', skip: false });
      const spec: Data<'PropertyFilterSpec'> = {
        propSet: [{ type: 'VirtualMachine', pathSet: paths }],
        objectSet: [{ obj: view, skip: true, selectSet: [traversal] }],
      };
      const found = await retrieve<(typeof paths)[number]>(soap, [spec], { signal });
      const hostRefs = found.flatMap(({ values }) => values['runtime.host'] ?? []);
      const distinct = [...new Map(hostRefs.map((ref) => [keyOf(ref), ref])).values()];
      const hosts = await retrieveAll(soap, distinct, ['config.product'], { signal });
      const versions = new Map(hosts.map(({ ref, values }) => [keyOf(ref), values['config.product']?.apiVersion]));
      for (const { values } of found) {
        const host = values['runtime.host'];
        machines.push({
          name: values.name ?? '',
          uuid: (values['config.uuid'] ?? '').toLowerCase(),
          addresses: [
            ...(values['guest.ipAddress'] === undefined ? [] : [values['guest.ipAddress']]),
            ...(values['guest.net'] ?? []).flatMap(({ ipAddress = [] }) => ipAddress),
          ],
          hostName: values['guest.hostName'],
          hardware: values['config.version'],
          isDiskUuidEnabled: values['config.flags']?.diskUuidEnabled,
          areToolsRunning: values['guest.toolsRunningStatus'] === 'guestToolsRunning',
          hostVersion: host === undefined ? undefined : versions.get(keyOf(host)),
        });
      }
    } finally {
      await soap.call('DestroyView', view, {});
    }
  }
  return machines;
}
