import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatedAssets } from '@slipway/simulators';

/** Writes the releases that OpenShift's image contains, with this version of the infrastructure providers. */
export function writeOpenShiftReleases(folder: string, version: string): void {
  const { core, infrastructure } = simulatedAssets();
  const minor = version.split('.')[1] ?? '';
  const write = (label: string, file: string, { metadata, components }: typeof core, which: string): void => {
    const place = join(folder, label, which);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'metadata.yaml'), metadata);
    writeFileSync(join(place, file), components);
  };
  write('cluster-api', 'core-components.yaml', core, core.version);
  for (const [name, assets] of infrastructure) {
    const metadata = assets.metadata.replace(/minor: \d+/, `minor: ${minor}`);
    write(`infrastructure-${name}`, 'infrastructure-components.yaml', { ...assets, metadata }, version);
  }
}
