import type { ControllerSet } from '@slipway/runtime';
import { createMigrationController } from './migration-controller.js';
import { migratedKinds } from './state/machine-objects.js';
import { createSyncController } from './sync/controller.js';

/**
 * Moves machines between Machine API and Cluster API. It idles while the gate is off, and on platforms whose machines cannot
 * be converted.
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
