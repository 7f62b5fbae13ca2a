export { applyObjects, isMarked } from './apply-objects.js';
export { nextInventory, readInventory, writeInventory } from './inventory.js';
export { removeObjects } from './remove-objects.js';
