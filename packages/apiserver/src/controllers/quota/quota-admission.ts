import { forbidden, type Frozen, type KubeObject } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest } from '../../contract/index.js';
import { fields } from '../../kinds/shared/fields.js';
import { type Amounts, formatAmounts, subtract } from './amounts.js';
import { missingRequirements } from './pod-resources.js';
import type { QuotaAccount } from './quota-account.js';
import type { QuotaLedger } from './quota-ledger.js';

/** Kinds whose usage can increase by an update; all others are counted on create only. */
const growing: ReadonlySet<string> = new Set(['services', 'persistentvolumeclaims']);

interface Claim {
  readonly account: QuotaAccount;
  readonly requested: Amounts;
}

/**
 * Rejects requests that would exceed a quota. Check and reservation are synchronous, so that only one of two concurrent
 * requests gets the remaining quota.
 */
export function createQuotaAdmission(ledger: QuotaLedger): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    handles: (request) => isCounted(request) && ledger.accounts(request.namespace).size > 0,
    validate(request) {
      if (isPod(request)) checkRequirements(request, ledger);
      const claims = claimsOf(request, ledger);
      for (const claim of claims) check(request, claim);
      if (request.dryRun) return;
      for (const { account, requested } of claims) account.reserve(uidOf(request), requested);
    },
    release(request) {
      for (const account of ledger.accounts(request.namespace).values()) account.release(uidOf(request));
    },
  };
}

function isCounted({ operation, subresource, namespace, resource }: AdmissionRequest): boolean {
  if (subresource !== '' || namespace === '') return false;
  return operation === 'CREATE' || (operation === 'UPDATE' && resource.group === '' && growing.has(resource.resource));
}

function uidOf({ object }: AdmissionRequest): string {
  return object?.metadata.uid ?? '';
}

function claimsOf(request: AdmissionRequest, ledger: QuotaLedger): Claim[] {
  const definition = { group: request.resource.group, plural: request.resource.resource };
  const object = request.object as Frozen<KubeObject>;
  const claims: Claim[] = [];
  for (const account of ledger.accounts(request.namespace).values()) {
    const next = account.usageOf(definition, object);
    const requested =
      request.oldObject === undefined ? next : subtract(next, account.usageOf(definition, request.oldObject));
    if ([...requested.values()].some(({ nanos }) => nanos > 0n)) claims.push({ account, requested });
  }
  return claims;
}

function isPod({ resource }: AdmissionRequest): boolean {
  return resource.group === '' && resource.resource === 'pods';
}

function refuse({ resource, object, name }: AdmissionRequest, why: string): never {
  throw forbidden(resource, name || object?.metadata.generateName || 'Unknown', why);
}

function checkRequirements(request: AdmissionRequest, ledger: QuotaLedger): void {
  const pod = request.object as Frozen<KubeObject>;
  for (const account of ledger.accounts(request.namespace).values()) {
    if (!account.covers({ group: '', plural: 'pods' }, pod)) continue;
    const missing = missingRequirements(fields(pod['spec']), account.hard.keys());
    if (missing !== undefined) refuse(request, `failed quota: ${account.name}: ${missing}`);
  }
}

function check(request: AdmissionRequest, { account, requested }: Claim): void {
  const exceeded = account.exceededBy(requested);
  if (exceeded.length === 0) return;
  const [requestedText, used, limit] = [requested, account.committed, account.hard].map((one) =>
    formatAmounts(one, exceeded),
  );
  refuse(request, `exceeded quota: ${account.name}, requested: ${requestedText}, used: ${used}, limited: ${limit}`);
}
