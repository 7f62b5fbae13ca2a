import { defineBuiltin } from '../shared/define-builtin.js';
import { list } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { defaultWebhooks, validateWebhooks } from './webhooks.js';

export const mutatingWebhookConfigurations = defineBuiltin({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  unconditionalUpdate: false,
  generation: ['webhooks'],
  table: printer([nameColumn, column('Webhooks', ({ webhooks }) => list(webhooks).length, 'integer'), ageColumn]),
  strategy: {
    defaults: (configuration) => defaultWebhooks(configuration, true),
    validate: validateWebhooks,
  },
});
