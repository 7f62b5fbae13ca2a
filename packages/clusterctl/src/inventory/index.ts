export {
  checkContract,
  findInstalled,
  type InstalledProvider,
  instanceName,
  inventoryObject,
  listInstalled,
  onlyProvider,
  providerLabels,
} from './inventory.js';
