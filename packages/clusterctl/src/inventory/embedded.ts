/** On entries of the inventory whose providers run inside the API server's own process. */
export const embeddedAnnotation = 'slipway/embedded';
