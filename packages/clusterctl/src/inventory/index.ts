export { embeddedAnnotation } from './embedded.js';
export { ensureInventoryKind, type InventoryWorld, writeInventory } from './ensure-inventory.js';
export {
  checkContract,
  checkSingleInstances,
  coreOf,
  findInstalled,
  type InstalledProvider,
  installedOf,
  instanceName,
  inventoryObject,
  listInstalled,
  onlyProvider,
  providerLabels,
} from './inventory.js';
