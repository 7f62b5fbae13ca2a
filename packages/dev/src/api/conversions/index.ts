import {
  at,
  conditionMoves,
  type Conversion,
  defineConversion,
  failureDomainList,
  move,
  onlyNew,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import { devCluster } from '../dev-cluster.js';
import { devClusterTemplate } from '../dev-cluster-template.js';
import { devMachine } from '../dev-machine.js';
import { devMachineTemplate } from '../dev-machine-template.js';

const clusterSpec = structure(at('backend.docker.failureDomains', failureDomainList));

const provisioned = move('ready', 'initialization.provisioned', plainBoolean);

/** The conversions between every old version and the storage version of this package's kinds. */
export const devConversions: readonly Conversion[] = [
  defineConversion(
    devCluster,
    'v1beta1',
    structure(
      at('spec', clusterSpec),
      at('status', structure(conditionMoves, provisioned, at('failureDomains', failureDomainList))),
    ),
  ),
  defineConversion(devClusterTemplate, 'v1beta1', structure(at('spec.template.spec', clusterSpec))),
  defineConversion(
    devMachine,
    'v1beta1',
    structure(at('status', structure(conditionMoves, provisioned, onlyNew('failureDomain')))),
  ),
  defineConversion(devMachineTemplate, 'v1beta1', structure(onlyNew('status'))),
];
