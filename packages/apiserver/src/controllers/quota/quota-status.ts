import type { Disposable } from '@slipway/base';
import { deepEqual, formatQuantity } from '@slipway/kube';
import { fields, type Fields } from '../../kinds/shared/fields.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  isTerminating,
  placeKey,
  splitPlaceKey,
  storageOf,
  thaw,
} from '../shared/index.js';
import { amount } from './amounts.js';
import type { QuotaAccount } from './quota-account.js';
import type { QuotaLedger } from './quota-ledger.js';

/** Maintains the status of ResourceQuotas. */
export function startQuotaStatus(dependencies: ControllerDependencies, ledger: QuotaLedger): Disposable {
  const resource = storageOf(coreResources.resourceQuotas);
  const { scope, loop } = createController(dependencies, 'quota-status', async (place, client) => {
    const key = splitPlaceKey(place);
    const account = ledger.accounts(key.namespace).get(key.name);
    const quota = dependencies.store.get({ resource, ...key })?.object;
    if (account === undefined || quota === undefined || isTerminating(quota)) return;
    const status = statusOf(account);
    if (deepEqual(status, quota['status'])) return;
    const next = thaw(quota);
    next['status'] = status;
    await client.update(next, 'status');
  });
  scope.add(ledger.onChange((place) => loop.add(place)));
  for (const { key } of dependencies.store.list({ resource })) loop.add(placeKey(key));
  return scope;
}

function statusOf(account: QuotaAccount): Fields {
  const names = [...account.hard.keys()];
  if (names.length === 0) return {};
  const used = names.map((name) => [name, formatQuantity(amount(account.used, name))]);
  return { hard: { ...fields(fields(account.quota['spec'])['hard']) }, used: Object.fromEntries(used) as Fields };
}
