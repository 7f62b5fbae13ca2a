import { at, defineConversion, move, onlyNew, structure } from '../../conversion/index.js';
import { clusterResourceSet } from '../cluster-resource-set.js';
import { clusterResourceSetBinding } from '../cluster-resource-set-binding.js';
import { extensionConfig } from '../extension-config.js';
import { ipAddress } from '../ip-address.js';
import { ipAddressClaim } from '../ip-address-claim.js';
import { conditionMoves } from './moves.js';

const conditionsOnly = structure(at('status', structure(conditionMoves)));

export const clusterResourceSetConversion = defineConversion(clusterResourceSet, 'v1beta1', conditionsOnly);

export const clusterResourceSetBindingConversion = defineConversion(clusterResourceSetBinding, 'v1beta1', structure());

export const extensionConfigConversion = defineConversion(extensionConfig, 'v1alpha1', conditionsOnly);

export const ipAddressConversions = [
  defineConversion(ipAddress, 'v1alpha1', structure()),
  defineConversion(ipAddress, 'v1beta1', structure()),
] as const;

export const ipAddressClaimConversions = [
  defineConversion(
    ipAddressClaim,
    'v1alpha1',
    structure(
      onlyNew('spec.clusterName', 'status.conditions'),
      move('status.conditions', 'status.deprecated.v1beta1.conditions'),
    ),
  ),
  defineConversion(ipAddressClaim, 'v1beta1', conditionsOnly),
] as const;
