import { textAt } from '@slipway/cluster-api';
import { type Observed, refOf } from '@slipway/insight';
import type { Tone } from '../model/cluster.js';
import type { DriverView } from '../model/infrastructure.js';

const drivers = [
  { driver: 'CPI', field: 'cloudProvider' },
  { driver: 'CSI', field: 'storageProvider' },
] as const;

const toneOfHealth: Readonly<Record<string, Tone>> = {
  Healthy: 'good',
  Progressing: 'wait',
  Degraded: 'wait',
  Unknown: 'wait',
  Unhealthy: 'bad',
};

/**
 * Returns the drivers of all clusters with their upgrade paths: the running version, the next version and the newest compatible
 * version.
 */
export function driversOf(configs: readonly Observed[]): Record<string, DriverView> {
  const views: [string, DriverView][] = [];
  for (const config of configs) {
    const ref = refOf(config);
    for (const { driver, field } of drivers) {
      const statusField = (name: string): string => textAt(config, 'status', field, name) ?? '';
      const health = statusField('health');
      const [installed, desired, available] = [
        statusField('installedVersion'),
        statusField('desiredVersion'),
        statusField('availableUpgrade'),
      ];
      if (`${health}${installed}${desired}` === '' || health === 'NotConfigured') continue;
      const path = [installed, desired, available].filter(
        (version, index, all) => version !== '' && all.indexOf(version) === index,
      );
      views.push([
        `${ref.namespace}/${ref.name} ${driver}`,
        { ref, driver, tone: toneOfHealth[health] ?? 'off', health, installed, path, message: statusField('message') },
      ]);
    }
  }
  return Object.fromEntries(views.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
