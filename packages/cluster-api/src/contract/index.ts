export {
  type Contract,
  contracts,
  type ContractVersion,
  contractVersionOf,
  definitionNameOf,
} from './contract-version.js';
export { contractVersionsFrom, type FindDefinition, type LabelledDefinition } from './definition-contracts.js';
