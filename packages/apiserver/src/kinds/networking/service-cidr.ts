import { deepEqual, type FieldError, invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, texts } from '../shared/fields.js';
import { checkCidr } from '../shared/networks.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { duplicateConditions, immutable, problems } from '../shared/validation.js';

export const serviceCidrs = defineBuiltin({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  status: true,
  table: printer([nameColumn, column('CIDRs', (object) => texts(fields(object.spec).cidrs).join(',')), ageColumn]),
  strategy: {
    validate,
    validateUpdate: (object, old) => {
      const [now, then] = [fields(object.spec).cidrs, fields(old.spec).cidrs];
      return immutable('spec.cidrs', deepEqual(now, then), now);
    },
    validateStatus: (object) => duplicateConditions(object),
  },
});

function validate(object: Fields): FieldError[] {
  const cidrs = texts(fields(object.spec).cidrs);
  if (cidrs.length === 0) return [requiredField('spec.cidrs', 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidField('spec.cidrs', cidrs, 'may only hold up to 2 values')];
  return cidrs.flatMap((cidr, index) => problems(`spec.cidrs[${index}]`, cidr, checkCidr(cidr)));
}
