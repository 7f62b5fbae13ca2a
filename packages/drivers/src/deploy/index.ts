export { applyObjects, isMarked, type Purpose } from './apply-objects.js';
export { inventoryChange, nextInventory, readInventory } from './inventory.js';
export { removeObjects } from './remove-objects.js';
