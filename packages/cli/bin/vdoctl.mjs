#!/usr/bin/env node
// `slipway drivers` under the name that its users know.
process.argv.splice(2, 0, 'drivers');
const { VDO_KUBECONFIG: kubeconfig } = process.env;
if (kubeconfig !== undefined && kubeconfig !== '') process.env.KUBECONFIG = kubeconfig;
await import('./slipway.mjs');
