/**
 * Maximum depth of a JSON value. No Kubernetes object comes near it, and all code that walks a value recursively relies on it.
 */
export const jsonDepthMax = 1_000;

/** Maximum number of duplicate keys to report per document, as in upstream. */
export const duplicateKeysMax = 100;
