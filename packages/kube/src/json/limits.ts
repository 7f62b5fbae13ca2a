/** No Kubernetes object comes near this depth. All code that walks a value recursively relies on this limit. */
export const jsonDepthMax = 1_000;

/** Upstream reports at most this many errors per document. */
export const duplicateKeysMax = 100;
