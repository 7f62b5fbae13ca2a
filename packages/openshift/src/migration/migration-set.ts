import type { ControllerSet } from '@slipway/runtime';
import { createMigrationController } from './migration-controller.js';
import { migratedKinds } from './state/machine-objects.js';
import { createSyncController } from './sync/controller.js';

/**
 * Creates the controllers that migrate machines between Machine API and Cluster API. They are idle while the feature gate is
 * disabled, and on platforms without conversion.
 */
export function createMachineMigration({ version }: { readonly version: string }): ControllerSet {
  return {
    name: 'machine-api-migration',
    controllers: migratedKinds.flatMap((kind) => [
      { name: `${kind.kind.toLowerCase()}sync`, create: (context) => createSyncController(kind, version, context) },
      {
        name: `${kind.kind.toLowerCase()}migration`,
        create: (context) => createMigrationController(kind, version, context),
      },
    ]),
  };
}
