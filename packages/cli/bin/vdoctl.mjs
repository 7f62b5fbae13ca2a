#!/usr/bin/env node
// Runs `slipway drivers` under the name of the former command.
process.argv.splice(2, 0, 'drivers');
const { VDO_KUBECONFIG: kubeconfig } = process.env;
if (kubeconfig !== undefined && kubeconfig !== '') process.env.KUBECONFIG = kubeconfig;
await import('./slipway.mjs');
