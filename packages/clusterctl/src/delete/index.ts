export {
  checkNoObjects,
  chooseInstalled,
  deleteObjects,
  type DeleteScope,
  findProviderObjects,
  type FoundObject,
} from './delete-providers.js';
export type { DiscoveringClient } from './resource-types.js';
