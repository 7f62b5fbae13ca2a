/** Annotation on inventory entries of providers that run in the process of the API server. */
export const embeddedAnnotation = 'slipway/embedded';
