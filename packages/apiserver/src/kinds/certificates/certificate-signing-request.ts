import { humanDuration } from '@slipway/kube';
import type { ResourceDefinition, SigningRequestStrategies } from '../../contract/index.js';
import { borrowStrategies, defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';

/** Defines CertificateSigningRequest. Table and data are here; `strategies` define the writes. */
export function certificateSigningRequests(strategies: SigningRequestStrategies | undefined): ResourceDefinition {
  const definition = defineBuiltin({
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    status: true,
    table: printer([
      nameColumn,
      ageColumn,
      column('SignerName', (request) => orNone(fields(request.spec).signerName)),
      column('Requestor', (request) => text(fields(request.spec).username)),
      column('RequestedDuration', durationOf),
      column('Condition', conditionOf),
    ]),
    selectable: { 'spec.signerName': (request) => text(fields(request.spec).signerName) },
  });
  if (strategies === undefined) return definition;
  const { main, approval } = strategies;
  return borrowStrategies(definition, main, { approval, status: main });
}

function durationOf(request: Fields): string {
  const seconds = fields(request.spec).expirationSeconds;
  return seconds === undefined ? '<none>' : humanDuration(number(seconds) * 1000);
}

function conditionOf(request: Fields): string {
  const types = list(fields(request.status).conditions).map(({ type }) => text(type));
  const shown = ['Approved', 'Denied'].filter((type) => types.includes(type));
  if (shown.length === 0) shown.push('Pending');
  if (types.includes('Failed')) shown.push('Failed');
  if (text(fields(request.status).certificate) !== '') shown.push('Issued');
  return shown.join(',');
}
