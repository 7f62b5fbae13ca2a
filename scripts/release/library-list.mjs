// The packages that are published as libraries `@slipway/<name>`: what a provider and its conformance test import.

/** Packages in dependency order. `exports` limits the entry points to those that work without development dependencies. */
export const libraries = [
  { name: 'base', description: 'Clock, random source, logging, scopes and network helpers of Slipway.' },
  { name: 'pki', description: 'Keys, certificates and certificate verification of Slipway.' },
  {
    name: 'kube',
    description: 'Kubernetes object model of Slipway: schemas, patches, server-side apply, selectors, CEL.',
  },
  { name: 'apiserver', description: 'Embedded Kubernetes API server of Slipway.' },
  { name: 'runtime', description: 'Controller runtime of Slipway: client, informers, controllers, manager, webhooks.' },
  { name: 'plane', description: 'Management plane of Slipway: API server and controllers in one process.' },
  { name: 'cluster-api', description: 'Cluster API kinds, core controllers and provider contract of Slipway.' },
  {
    name: 'provider-kit',
    description: 'Infrastructure provider skeleton, plugin contract and conformance suite of Slipway.',
  },
  { name: 'kubeadm', description: 'Kubeadm bootstrap and control plane providers of Slipway.' },
  { name: 'dev', description: 'In-memory infrastructure of Slipway, with simulated workload clusters.' },
  {
    name: 'testing',
    description: 'Management planes in memory and in virtual time, for tests of Slipway providers.',
    exports: ['./plane', './provider'],
  },
];
