#!/usr/bin/env node
// Runs `slipway machine-approver` under the name of OpenShift's program.
process.argv.splice(2, 0, 'machine-approver');
await import('./slipway.mjs');
