export {
  type Data,
  dataTypes,
  derivesFrom,
  type Field,
  fieldsOf,
  isA,
  isDataType,
  make,
  type MethodParameters,
  type MethodResult,
  type ObjectRef,
  parseField,
  parseFields,
} from './data-type.js';
export {
  type MethodEntry,
  type MethodName,
  methods,
  type StoragePolicyMethodName,
  type VimMethodName,
} from './methods.js';
