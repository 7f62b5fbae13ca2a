export {
  type Contract,
  contracts,
  type ContractVersion,
  contractVersionOf,
  definitionNameOf,
} from './contract-version.js';
