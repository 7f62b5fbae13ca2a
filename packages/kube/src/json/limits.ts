/** No Kubernetes object comes near this depth; everything that walks a value recursively relies on the bound. */
export const jsonDepthMax = 1_000;

/** Upstream stops listing problems of one document at this number. */
export const duplicateKeysMax = 100;
