import {
  at,
  conditionMoves,
  type Conversion,
  defineConversion,
  durationSeconds,
  each,
  failureDomainList,
  failureMoves,
  move,
  type Move,
  onlyNew,
  onlyOld,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import * as vcenter from '../vcenter/index.js';
import { plainNumber, secretRef } from './codecs.js';

const provisioned = move('ready', 'initialization.provisioned', plainBoolean);

const device = structure(at('dhcp4', plainBoolean), at('dhcp6', plainBoolean), at('skipIPAllocation', plainBoolean));

const cloneMoves: readonly Move[] = [
  at('network', structure(at('devices', each(device)), onlyOld('preferredAPIServerCidr'))),
  at('numCoresPerSocket', plainNumber),
  move('guestSoftPowerOffTimeout', 'guestSoftPowerOffTimeoutSeconds', durationSeconds),
];

const machineSpec = structure(cloneMoves, move('namingStrategy', 'naming'), onlyOld('failureDomain'));

const networkStatus = at('network', each(structure(at('connected', plainBoolean))));

const clusterSpec = structure(
  at('clusterModules', each(structure(at('controlPlane', plainBoolean)))),
  at('disableClusterModule', plainBoolean),
);

const domain = structure(onlyOld('autoConfigure'));

/** The conversions between every old version and the storage version of the vCenter kinds. */
export const vcenterConversions: readonly Conversion[] = [
  defineConversion(
    vcenter.vsphereCluster,
    'v1beta1',
    structure(
      at('spec', clusterSpec),
      at('status', structure(conditionMoves, provisioned, at('failureDomains', failureDomainList))),
    ),
  ),
  defineConversion(
    vcenter.vsphereClusterTemplate,
    'v1beta1',
    structure(at('spec.template.spec', clusterSpec), onlyNew('spec.template.metadata')),
  ),
  defineConversion(
    vcenter.vsphereMachine,
    'v1beta1',
    structure(
      at('spec', machineSpec),
      at('status', structure(conditionMoves, failureMoves, provisioned, networkStatus)),
    ),
  ),
  defineConversion(vcenter.vsphereMachineTemplate, 'v1beta1', structure(at('spec.template.spec', machineSpec))),
  defineConversion(
    vcenter.vsphereVm,
    'v1beta1',
    structure(
      at('spec', structure(cloneMoves, at('bootstrapRef', secretRef))),
      at('status', structure(conditionMoves, failureMoves, at('ready', plainBoolean), networkStatus)),
    ),
  ),
  defineConversion(
    vcenter.vsphereClusterIdentity,
    'v1beta1',
    structure(at('status', structure(conditionMoves, at('ready', plainBoolean)))),
  ),
  defineConversion(vcenter.vsphereDeploymentZone, 'v1beta1', structure(at('status', structure(conditionMoves)))),
  defineConversion(
    vcenter.vsphereFailureDomain,
    'v1beta1',
    structure(at('spec.region', domain), at('spec.zone', domain)),
  ),
];
