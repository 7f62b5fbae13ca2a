export { applyObjects, type ApplyWorld, isMarked } from './apply-objects.js';
export { type Inventory, nextInventory, readInventory, writeInventory } from './inventory.js';
export { removeObjects } from './remove-objects.js';
