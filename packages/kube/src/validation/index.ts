export {
  finalizerWarnings,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './validate-object-meta.js';
