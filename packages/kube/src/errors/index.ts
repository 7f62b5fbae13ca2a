export type { FieldError, FieldErrorReason } from './field-error.js';
export {
  duplicateField,
  forbiddenField,
  formatFieldError,
  invalidField,
  notFoundField,
  notSupported,
  requiredField,
  tooLong,
  tooMany,
  wrongType,
} from './field-error.js';
export type { ResourceName, Status, StatusCause, StatusDetails, StatusReason } from './status-error.js';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalid,
  isReason,
  methodNotAllowed,
  notFound,
  StatusError,
  unauthorized,
  unknownResource,
} from './status-error.js';
