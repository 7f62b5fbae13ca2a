/** The namespace of all clusters. */
export const namespace = 'simulated';
/** The Lease of the leader election. */
export const leaseKey = { namespace: 'kube-system', name: 'slipway-manager' } as const;
