import {
  at,
  type Codec,
  conditionMoves,
  type Conversion,
  defineConversion,
  each,
  failureDomainList,
  failureMoves,
  isObject,
  move,
  onlyNew,
  onlyOld,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import * as supervisor from '../supervisor/index.js';
import { message } from './codecs.js';

const provisioned = move('ready', 'initialization.provisioned', plainBoolean);

const networkRef = structure(move('network', 'networkRef'));

const machineSpec = structure(
  move('namingStrategy', 'naming'),
  at('network.interfaces', structure(at('primary', networkRef), at('secondary', each(networkRef)))),
  onlyOld('failureDomain'),
);

const phase = message(
  supervisor.machinePhases.map((name) => name.toLowerCase()),
  supervisor.machinePhases,
);

const statusFields = structure(
  conditionMoves,
  failureMoves,
  provisioned,
  move('vmID', 'biosUUID'),
  move('vmstatus', 'phase', phase),
  onlyNew('failureDomain'),
  onlyOld('vmIp'),
);

/** Converts the status of a machine. `vmIp` is derived from the addresses, which both versions have. */
const machineStatus: Codec = {
  up: (value, context) => statusFields.up(value, context),
  down: (value, context) => {
    const status = statusFields.down(value, context);
    const addresses = isObject(status) ? status['addresses'] : undefined;
    const first = Array.isArray(addresses) ? addresses[0] : undefined;
    if (isObject(status) && isObject(first) && first['address'] !== undefined) status['vmIp'] = first['address'];
    return status;
  },
};

/** The conversions between every old version and the storage version of the Supervisor kinds. */
export const supervisorConversions: readonly Conversion[] = [
  defineConversion(
    supervisor.supervisorCluster,
    'v1beta1',
    structure(
      at(
        'status',
        structure(conditionMoves, provisioned, at('failureDomains', failureDomainList), onlyOld('resourcePolicyName')),
      ),
    ),
  ),
  defineConversion(supervisor.supervisorClusterTemplate, 'v1beta1', structure(onlyNew('spec.template.metadata'))),
  defineConversion(
    supervisor.supervisorMachine,
    'v1beta1',
    structure(at('spec', machineSpec), at('status', machineStatus)),
  ),
  defineConversion(
    supervisor.supervisorMachineTemplate,
    'v1beta1',
    structure(at('spec.template.spec', machineSpec), onlyNew('spec.template.metadata', 'status.nodeInfo')),
  ),
  defineConversion(supervisor.providerServiceAccount, 'v1beta1', structure()),
];
