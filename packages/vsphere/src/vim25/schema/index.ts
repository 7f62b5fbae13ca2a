export {
  dataTypes,
  type Data,
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
  methods,
  type MethodName,
  type StoragePolicyMethodName,
  type VimMethodName,
} from './methods.js';
