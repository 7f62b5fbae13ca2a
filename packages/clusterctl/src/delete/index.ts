export {
  checkNoObjects,
  chooseInstalled,
  deleteObjects,
  findProviderObjects,
  type FoundObject,
} from './delete-providers.js';
export type { DiscoveringClient } from './resource-types.js';
