export { embeddedAnnotation } from './embedded.js';
export { ensureInventoryKind, inventoryDefinition, writeInventory } from './ensure-inventory.js';
export {
  checkContract,
  checkSingleInstances,
  coreOf,
  findInstalled,
  installedOf,
  type InstalledProvider,
  instanceName,
  inventoryObject,
  listInstalled,
  onlyProvider,
  providerLabels,
} from './inventory.js';
