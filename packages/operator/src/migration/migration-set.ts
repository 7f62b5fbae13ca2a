import type { ControllerSet } from '@slipway/runtime';
import { awsConversion } from './conversion/aws.js';
import { openStackConversion } from './conversion/openstack.js';
import type { ConversionFacts } from './conversion/provider.js';
import { createMigrationController } from './migration-controller.js';
import { migratedKinds } from './state/machine-objects.js';
import { createSyncController } from './sync-controller.js';

const conversions = [awsConversion, openStackConversion];

/** Moves machines between Machine API and Cluster API. Undefined on platforms whose machines cannot be converted. */
export function createMachineMigration(platform: string, facts: ConversionFacts): ControllerSet | undefined {
  const conversion = conversions.find((one) => one.platform === platform);
  if (conversion === undefined) return undefined;
  return {
    name: 'machine-api-migration',
    controllers: migratedKinds.flatMap((kind) => [
      { name: `${kind.kind.toLowerCase()}sync`, create: () => createSyncController(kind, { conversion, facts }) },
      { name: `${kind.kind.toLowerCase()}migration`, create: () => createMigrationController(kind) },
    ]),
  };
}
