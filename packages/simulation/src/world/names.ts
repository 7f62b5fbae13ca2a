/** Where everything happens. */
export const namespace = 'simulated';
/** Where managers say which of them leads. */
export const leaseKey = { namespace: 'kube-system', name: 'slipway-manager' } as const;
